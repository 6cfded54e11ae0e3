/** Events as they are posted to webhooks. */
import type { WebhookEvents } from '../../catalog/webhooks/deliver-events.ts';
import type { Events } from '../changes/events.ts';
import { formatEvent } from '../changes/format-event.ts';

/** `source` is the REST root as the world knows it, or only its path where nobody has said how that is. */
export function createWebhookEvents(events: Events, source: () => string): WebhookEvents {
  return {
    listChangesAfter: (number) => events.readChangesAfter(number),
    formatEvent: (change, { kinds, paths, expand }) =>
      formatEvent(events, change, { selection: { kinds, paths }, isWhole: expand, source: source() }),
  };
}
