/** Events as they are posted to webhooks. */
import type { WebhookEvents } from '../../catalog/webhooks/deliver-events.ts';
import type { Events } from '../events/events.ts';
import { printedEvent } from '../events/printed-event.ts';

/** `source` is the REST root as the world knows it, or only its path where nobody has said how that is. */
export function webhookEvents(events: Events, source: () => string): WebhookEvents {
  return {
    listChangesAfter: (number) => events.changesAfter(number),
    formatEvent: (change, { kinds, paths, expand }) =>
      printedEvent(events, change, { selection: { kinds, paths }, isWhole: expand, source: source() }),
  };
}
