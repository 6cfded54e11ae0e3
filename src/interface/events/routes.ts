/** Routes for events: past changes and new ones as they happen. */

import { createIntegerParameter, createTextsParameter, type QueryParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import type { PrintedList } from '../../http/serialization/list-frame.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { ChangeHead } from '../../storage/port/port.ts';
import type { Events } from '../changes/events.ts';
import { type EventOptions, formatEvent } from '../changes/format-event.ts';
import { family, get, type Services } from '../common/services.ts';
import { eventStreamType, streamEvents } from './event-stream.ts';
import { readNextEvents } from './next-events.ts';
import { eventsShape } from './representation.ts';

const LIMIT = 100;
/** The maximum page size; clients request the next page. */
const MAX_LIMIT = 1_000;
/** Proxies close requests that take longer than a minute. */
const MAX_WAIT_SECONDS = 60;

/** Kept as sent: the route validates the number. */
const after: QueryParameter<string | null> = {
  description:
    'Return only changes after this number. For a stream, the header Last-Event-ID takes precedence, and both are optional.',
  schema: { type: 'integer', minimum: 0 },
  expected: 'an integer of at least 0',
  parse: (value) => (isNumber(value) ? value : undefined),
  absent: null,
};

const wait: QueryParameter<number> = {
  description: 'Seconds to wait for the first event if no event exists yet; at most 60.',
  schema: { type: 'number', minimum: 0, maximum: MAX_WAIT_SECONDS },
  expected: `a number of seconds from 0 to ${MAX_WAIT_SECONDS}`,
  parse: (value) =>
    /^\d{1,2}(?:\.\d{1,3})?$/.test(value) && Number(value) <= MAX_WAIT_SECONDS ? Number(value) : undefined,
  absent: 0,
};

const expand: QueryParameter<boolean> = {
  description: 'With items: include the fields of each resource before and after the change.',
  schema: { type: 'string', enum: ['items'] },
  expected: 'items',
  parse: (value) => (value === 'items' ? true : undefined),
  absent: false,
};

export function eventRoutes(): RouteTable<Services> {
  return family(
    'Events',
    { description: 'Changes of the configuration as they happen.', formats: ['json'], formatGroup: 'about' },
    [
      get(
        '/events',
        'Follow the changes as a stream of server-sent events or page by page',
        {
          returns: eventsShape,
          access: 'live',
          renditions: [{ name: 'stream', mediaTypes: [eventStreamType] }],
          rejectsUnknownQuery: true,
          query: {
            after,
            limit: createIntegerParameter('Maximum number of events; default: 100.', 1, MAX_LIMIT),
            wait,
            kind: createTextsParameter('Return only resources of this kind, such as workspace; repeatable.'),
            path: createTextsParameter('Return only the resource at this path and everything below it; repeatable.'),
            expand,
          },
          problems: ['position-ahead', 'history-trimmed'],
        },
        async ({ services: { events }, query, rendition, sent, restUrl, signal }) => {
          const question = {
            selection: { kinds: query.kind, paths: query.path },
            isWhole: query.expand,
            source: restUrl,
          };
          if (rendition !== undefined) {
            const begin = await resolveStart(events, readLastEventId(sent.headers['last-event-id']) ?? query.after);
            const pieces = streamEvents(events, begin, question, signal());
            return { live: { mediaType: eventStreamType, pieces, until: events.feed.ended } };
          }
          if (query.after === null) {
            throw problem('query-invalid', { parameter: 'after', value: '', expected: after.expected, field: 'after' });
          }
          const number = await resolveStart(events, query.after);
          const limit = query.limit ?? LIMIT;
          const { found, position } = await readNextEvents(events, {
            after: number,
            limit,
            selection: question.selection,
            waitMs: query.wait * 1_000,
            signal,
          });
          return { list: buildEventPage(events, { found, limit, position }, question) };
        },
      ),
    ],
  );
}

function isNumber(written: string): boolean {
  return /^\d{1,100}$/.test(written);
}

/** Browsers send this header when they reconnect. */
function readLastEventId(header: string | readonly string[] | undefined): string | null {
  const sent = String(header ?? '').trim();
  if (sent !== '' && !isNumber(sent)) {
    throw problem('query-invalid', { parameter: 'Last-Event-ID', value: sent, expected: after.expected });
  }
  return sent === '' ? null : sent;
}

/** The number to start after: the last change by default. */
async function resolveStart({ feed, log }: Events, requested: string | null): Promise<number> {
  const position = feed.position();
  const number = requested === null ? position : Number(requested);
  if (number > position) {
    throw problem('position-ahead', { after: requested ?? '', position, field: 'after', members: { position } });
  }
  const [oldest] = number < position ? await log.listEntries({ after: number }, 1) : [];
  if (number < position && oldest?.sequence !== number + 1) {
    const oldestNumber = oldest?.sequence ?? position + 1;
    throw problem('history-trimmed', {
      after: number,
      oldest: oldestNumber,
      field: 'after',
      members: { oldest: oldestNumber },
    });
  }
  return number;
}

interface FoundEvents {
  /** May have more changes than the page. */
  readonly found: readonly ChangeHead[];
  readonly limit: number;
  readonly position: number;
}

function buildEventPage(events: Events, { found, limit, position }: FoundEvents, question: EventOptions): PrintedList {
  const page = found.slice(0, limit);
  const tail = `],"position":${position}}`;
  const last = page.at(-1);
  return {
    frame: { before: '{"events":[', between: '', after: tail, empty: `{"events":[${tail}` },
    pieces: formatEvents(events, page, question),
    ...(last === undefined || found.length <= limit ? {} : { next: { after: String(last.sequence) } }),
  };
}

async function* formatEvents(
  events: Events,
  changes: readonly ChangeHead[],
  question: EventOptions,
): AsyncGenerator<string> {
  let between = '';
  for (const change of changes) {
    const event = await formatEvent(events, change, question);
    if (event === undefined) continue;
    yield between;
    if (typeof event === 'string') yield event;
    else yield* event;
    between = ',';
  }
}
