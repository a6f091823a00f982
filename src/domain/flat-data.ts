import type { JsonObject, JsonValue } from "./json.js";

/**
 * A node of a trie over members. There are hundreds of thousands, mostly with one child: only the second child creates
 * a map.
 */
class Node<Value> {
  /** Name of the next member; `undefined` if no data has one. */
  name: string | undefined;
  /** A value of the next member, and its node. */
  first: JsonValue | undefined = undefined;
  firstChild: Node<Value> | undefined = undefined;
  /** Nodes of all values, if there are at least two. */
  children: Map<JsonValue, Node<Value>> | undefined = undefined;
  /** Sibling nodes for other names of the next member. */
  others: Map<string, Node<Value>> | undefined = undefined;
  value: Value | undefined = undefined;

  constructor(name: string | undefined) {
    this.name = name;
  }

  /** The sibling for a name of the next member. */
  sibling(name: string): Node<Value> {
    this.name ??= name;
    if (this.name === name) return this;
    this.others ??= new Map();
    let other = this.others.get(name);
    if (other === undefined) {
      other = new Node(name);
      this.others.set(name, other);
    }
    return other;
  }

  next(value: JsonValue): Node<Value> | undefined {
    if (this.children !== undefined) return this.children.get(value);
    return this.first === value ? this.firstChild : undefined;
  }

  addChild(value: JsonValue): Node<Value> {
    const node = new Node<Value>(undefined);
    if (this.children !== undefined) {
      this.children.set(value, node);
    } else if (this.firstChild === undefined) {
      this.first = value;
      this.firstChild = node;
    } else {
      this.children = new Map([
        [this.first as JsonValue, this.firstChild],
        [value, node],
      ]);
    }
    return node;
  }
}

/**
 * A map from flat data (objects without nested lists and objects) to values. Data are equal if they have the same
 * members in the same order. Several times as fast as a map by JSON.
 */
export class FlatDataMap<Value> {
  #root: Node<Value> = new Node(undefined);

  /** The value of data; `undefined` if there is none, or if the data are not flat. */
  get(data: JsonObject): Value | undefined {
    let node = this.#root;
    for (const name in data) {
      const value = data[name] as JsonValue;
      const place = node.name === name ? node : node.others?.get(name);
      const next = isSimple(value) ? place?.next(value) : undefined;
      if (next === undefined) return undefined;
      node = next;
    }
    return node.value;
  }

  /** Returns the value of data after setting it if there was none; `undefined` if the data are not flat. */
  getOrSet(data: JsonObject, value: Value): Value | undefined {
    let node = this.#root;
    for (const name in data) {
      const member = data[name] as JsonValue;
      if (!isSimple(member)) return undefined;
      const place = node.sibling(name);
      node = place.next(member) ?? place.addChild(member);
    }
    node.value ??= value;
    return node.value;
  }

  clear(): void {
    this.#root = new Node(undefined);
  }
}

/** Whether data can be a key of such a map. */
export function isFlat(data: JsonObject): boolean {
  for (const name in data) if (!isSimple(data[name] as JsonValue)) return false;
  return true;
}

/** Whether equal values of this kind are identical, which excludes -0: a map equates it with 0. */
function isSimple(value: JsonValue): boolean {
  return typeof value === "object" ? value === null : value !== 0 || !Object.is(value, -0);
}
