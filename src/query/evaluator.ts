import { ActivityError, quote } from "../errors.js";
import { RegexLimitError } from "../regex/regex.js";
import type { Assignment, Call, Chain, Expression, If, Program, Statement } from "./ast.js";
import { RESULT } from "./ast.js";
import type { QueryBudget } from "./budget.js";
import { type FunctionContext, readArguments } from "./function.js";
import { FUNCTIONS } from "./functions.js";
import type { Memo } from "./memo.js";
import { applyOperator } from "./operators.js";
import { locateError, QuerySyntaxError, unknownNameError } from "./query-error.js";
import type { RuleCaches } from "./rule-functions.js";
import { recordSize, sizeOf } from "./size.js";
import type { BudgetSlot } from "./slot.js";
import type { EventSource } from "./source.js";
import type { Value } from "./values.js";
import { createWindow, type Timeperiod, type Window } from "./window.js";

/** Parts of a value between two pauses. */
const PARTS_PER_YIELD = 64;

/** The environment of a run. */
export interface Environment {
  readonly source: EventSource;
  readonly budget: QueryBudget;
  readonly slot: BudgetSlot;
  readonly memo: Memo;
  readonly rules: RuleCaches;
  /** Pauses for other work in the process when its time slice is over. */
  readonly yieldNow: () => Promise<void> | undefined;
  /** Value of the variable NAME. */
  readonly name: string;
  /** Other variables that the program starts with. */
  readonly variables: ReadonlyMap<string, Value>;
}

/**
 * Runs a program over one period (docs/reference/compatibility.md#evaluation).
 *
 * @returns the last value of the variable RETURN
 * @throws QueryError for a mistake in the program, ActivityError when its budget is used up or the storage fails
 */
export async function evaluate(program: Program, period: Timeperiod, environment: Environment): Promise<Value> {
  try {
    const run = new Run(period, environment);
    await run.runStatements(program.statements);
    const result = run.variables.get(RESULT);
    run.end();
    if (result !== undefined) return result;
    const message = "the program never sets RETURN";
    throw new QuerySyntaxError("QueryParseException", message, program.text.length, "neverReturns");
  } catch (thrown) {
    if (thrown instanceof RegexLimitError)
      throw new ActivityError("QUERY_TOO_LARGE", thrown.message, { cause: thrown });
    throw thrown instanceof QuerySyntaxError ? locateError(thrown, program.text) : thrown;
  }
}

/** One run of a program: its variables and its time window. */
class Run {
  readonly variables: Map<string, Value>;
  readonly #window: Window;
  readonly #environment: Environment;
  readonly #context: FunctionContext;

  constructor(period: Timeperiod, environment: Environment) {
    this.#environment = environment;
    this.#window = createWindow(period);
    this.variables = new Map<string, Value>([
      ["NAME", environment.name],
      ...this.#window.variables,
      ...environment.variables,
    ]);
    for (const value of this.variables.values()) environment.budget.retain(sizeOf(value));
    const { source, budget, slot, memo, rules, yieldNow } = environment;
    this.#context = { source, budget, slot, memo, rules, yieldNow, period: () => this.#window.period() };
  }

  /** Releases all variables. */
  end(): void {
    for (const value of this.variables.values()) this.#environment.budget.release(sizeOf(value));
  }

  async runStatements(statements: readonly Statement[]): Promise<void> {
    for (const statement of statements) {
      await this.#yieldNow();
      if (statement.kind === "assignment") await this.#assign(statement);
      else if (statement.kind === "if") await this.#runIf(statement);
      else await this.#evaluate(statement.value);
    }
  }

  async #assign({ name, value }: Assignment): Promise<void> {
    const assigned = await this.#evaluate(value);
    const { budget } = this.#environment;
    const before = this.variables.get(name);
    if (before !== undefined) budget.release(sizeOf(before));
    budget.retain(sizeOf(assigned));
    this.variables.set(name, assigned);
    this.#window.update(name, assigned);
  }

  async #runIf({ branches, otherwise }: If): Promise<void> {
    for (const { condition, body } of branches) {
      await this.#yieldNow();
      const holds = await this.#evaluate(condition);
      if (typeof holds !== "boolean") {
        const message = "a condition must be true or false";
        throw new QuerySyntaxError("QueryInterpretException", message, condition.offset, "conditionUnfit");
      }
      if (holds) return this.runStatements(body);
    }
    if (otherwise !== undefined) await this.runStatements(otherwise);
  }

  async #evaluate(expression: Expression): Promise<Value> {
    switch (expression.kind) {
      case "literal":
        return expression.value;
      case "variable":
        return this.#readVariable(expression.name, expression.offset);
      case "list": {
        const items: Value[] = [];
        for (const item of expression.items) items.push(await this.#evaluatePart(item, items.length));
        this.#releaseParts(expression.items, items);
        return recordSize(items, items, this.#environment.budget);
      }
      case "dict": {
        const members = new Map<string, Value>();
        const values: Value[] = [];
        for (const [key, member] of expression.members) {
          values.push(await this.#evaluatePart(member, values.length));
          members.set(key, values.at(-1) as Value);
        }
        this.#releaseParts(
          expression.members.map(([, member]) => member),
          values,
        );
        return recordSize(members, members.values(), this.#environment.budget);
      }
      case "chain":
        return this.#evaluateChain(expression);
      case "call":
        return this.#callFunction(expression);
    }
  }

  /** Evaluates one part of a value that may have very many. */
  async #evaluatePart(expression: Expression, index: number): Promise<Value> {
    if (index % PARTS_PER_YIELD === 0) await this.#yieldNow();
    const value = await this.#evaluate(expression);
    // Values of variables are already counted.
    if (expression.kind !== "variable") this.#environment.budget.retain(sizeOf(value));
    return value;
  }

  /** Releases the parts, which now belong to the value made of them. */
  #releaseParts(expressions: readonly Expression[], values: readonly Value[]): void {
    for (const [index, { kind }] of expressions.entries()) {
      if (kind !== "variable") this.#environment.budget.release(sizeOf(values[index] as Value));
    }
  }

  async #yieldNow(): Promise<void> {
    const { budget, yieldNow } = this.#environment;
    budget.check();
    await budget.awaitMemory();
    await yieldNow();
  }

  #readVariable(name: string, offset: number): Value {
    const value = this.variables.get(name);
    if (value !== undefined) return value;
    if (!FUNCTIONS.has(name)) {
      throw unknownNameError("variable", name, { known: this.variables.keys(), offset });
    }
    const message = `no variable ${quote(name)}; ${quote(name)} is a function, call it with ${name}(...)`;
    const fault = { name: "functionNotCalled", values: { name } };
    throw new QuerySyntaxError("QueryInterpretException", message, offset, fault);
  }

  async #evaluateChain({ first, rest }: Chain): Promise<Value> {
    let value = await this.#evaluate(first);
    for (const [index, { operator, operand, offset }] of rest.entries()) {
      if (index % PARTS_PER_YIELD === 0) await this.#yieldNow();
      value = await applyOperator(value, operator, await this.#evaluate(operand), { offset, context: this.#context });
    }
    return value;
  }

  async #callFunction({ name, args, offset }: Call): Promise<Value> {
    const called = FUNCTIONS.get(name);
    if (called === undefined) {
      throw unknownNameError("function", name, { known: FUNCTIONS.keys(), offset });
    }
    const values: Value[] = [];
    for (const arg of args) values.push(await this.#evaluatePart(arg, values.length));
    const places = args.map((arg) => arg.offset);
    await this.#yieldNow();
    const result = await called.run(readArguments(called, values, { offset, places }), this.#context);
    this.#releaseParts(args, values);
    return result;
  }
}
