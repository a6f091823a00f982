import type { JSX } from "preact";
import type { ClientBucket } from "../../../client/index.js";
import { formatCount, formatMoment } from "../../format.js";
import { Fact } from "../../parts/fact.js";
import { Dotted } from "../../parts/name.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/buckets.js";
import { common } from "../../texts/common.js";
import { t as shell } from "../../texts/shell.js";
import { hostText } from "../activity/names.js";
import { AccessSelect } from "./access-select.js";
import { formatRate, Reports } from "./bucket-rows.js";
import { CutText } from "./cut-text.js";
import { eventsPerDay } from "./overview.js";

export interface BucketFactsProps {
  readonly bucket: ClientBucket;
  readonly count: number;
  /** Current time, in Unix milliseconds. */
  readonly now: number;
}

/** Details of a bucket. */
export function BucketFacts({ bucket, count, now }: BucketFactsProps): JSX.Element {
  const { id, name, type, client, hostname, created, metadata, data } = bucket;
  const rate = eventsPerDay(bucket, count);
  const hasData = Object.keys(data).length > 0;
  return (
    <dl class="fact-list">
      {name !== null && name !== "" && <Fact label={common("name")}>{name}</Fact>}
      <Fact label={t("type")}>
        <Dotted text={type} />
      </Fact>
      <Fact label={t("client")}>{client}</Fact>
      <Fact label={t("host")}>{hostText(hostname)}</Fact>
      <Fact label={common("events")}>{formatCount(count)}</Fact>
      {rate !== undefined && <Fact label={t("rate")}>{formatRate(rate)}</Fact>}
      <Fact label={t("first")}>{momentOf(metadata.start)}</Fact>
      <Fact label={t("last")}>{momentOf(metadata.end)}</Fact>
      <Fact label={common("state")}>
        <Reports bucket={bucket} now={now} />
      </Fact>
      <Fact label={common("created")}>{momentOf(created)}</Fact>
      <Fact label={t("access")}>
        <AccessSelect key={id} bucketId={id} isExplained />
      </Fact>
      {hasData && (
        <Fact label={shell("data")}>
          <code>
            <CutText text={JSON.stringify(data)} most={300} />
          </code>
        </Fact>
      )}
    </dl>
  );
}

function momentOf(timestamp: string | null): string {
  return timestamp === null ? "–" : formatMoment(timestamp, zone.value);
}
