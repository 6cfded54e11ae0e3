/** Formats events for webhooks. */
import type { WebhookEvents } from '../../catalog/webhooks/deliver-events.ts';
import type { Events } from '../changes/events.ts';
import { formatEvent } from '../changes/format-event.ts';

/** `source` is the public REST root, or only its path if the public URL is unknown. */
export function createWebhookEvents(events: Events, source: () => string): WebhookEvents {
  return {
    listChangesAfter: (number) => events.readChangesAfter(number),
    formatEvent: (change, { kinds, paths, expand }) =>
      formatEvent(events, change, { selection: { kinds, paths }, isWhole: expand, source: source() }),
  };
}
