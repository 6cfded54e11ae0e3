/** A webhook: the URL that receives events, the event filter, and the signing secret. */
import type { Secret } from '../../lib/identity/secret.ts';
import type { RecordBase, RecordKind } from '../../records/record.ts';

export interface Webhook extends RecordBase {
  readonly kind: 'webhook';
  readonly url: string;
  /** The encrypted signing secret; null for none. */
  readonly sealedSecret: Secret | null;
  readonly enabled: boolean;
  /** Only events with items of these kinds; empty for all. */
  readonly kinds: readonly string[];
  /** Only events of resources at or below these paths; empty for all. */
  readonly paths: readonly string[];
  /** Whether items contain the fields of their records before and after the change. */
  readonly expand: boolean;
}

export const webhookKind: RecordKind<Webhook> = {
  kind: 'webhook',
  keys: {},
  secrets: { sealedSecret: true },
};
