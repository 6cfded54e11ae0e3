/** A webhook: where events are posted to, which of them, and what they are signed with. */
import type { Secret } from '../../lib/identity/secret.ts';
import type { RecordBase, RecordKind } from '../../records/record.ts';

export interface Webhook extends RecordBase {
  readonly kind: 'webhook';
  readonly url: string;
  /** What deliveries are signed with, sealed; null for none. */
  readonly sealedSecret: Secret | null;
  readonly enabled: boolean;
  /** Only events with items of these kinds; empty for all. */
  readonly kinds: readonly string[];
  /** Only events of what is at these paths, or below them; empty for all. */
  readonly paths: readonly string[];
  /** Whether items have the fields of their records before and after the change. */
  readonly expand: boolean;
}

export const webhookKind: RecordKind<Webhook> = {
  kind: 'webhook',
  keys: {},
  secrets: { sealedSecret: true },
};
