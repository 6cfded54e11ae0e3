/** The command that lists and follows changes. */
import { type Command, type Reply, ResponseError, type ServerClient, type Task } from '../client/command.ts';

/** Pauses between attempts to reconnect. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export const eventsCommand: Command = {
  usage: '[--after N] [--follow]',
  summary: 'Lists changes, one JSON document per line. With --follow, waits for further changes.',
  operands: [],
  options: { after: 'text', follow: 'flag' },
  async run(task) {
    const server = await task.server();
    if (task.flag('follow')) await followEvents(server, task);
    else await printPastEvents(server, task);
    return 0;
  },
};

interface Page {
  readonly events: readonly { readonly id: string }[];
}

/** Prints pages until the last event at the time of the request. */
async function printPastEvents(server: ServerClient, { world, text }: Task): Promise<void> {
  let after = text('after') ?? '0';
  for (;;) {
    const reply = await readEventPage(server, after, text('after') === undefined);
    const { events } = JSON.parse(await reply.text()) as Page;
    for (const event of events) world.print(`${JSON.stringify(event)}\n`);
    const last = events.at(-1);
    if (last === undefined || !reply.header('link')?.includes('rel="next"')) return;
    after = last.id;
  }
}

/** Without --after, starts at the oldest event that is still stored. */
async function readEventPage(server: ServerClient, after: string, mayBeginLater: boolean): Promise<Reply> {
  const buildPageQuery = (from: string) => [['after', from] as const, ['limit', '1000'] as const];
  try {
    return await server.send({ path: '/events', query: buildPageQuery(after) });
  } catch (error) {
    const oldest = error instanceof ResponseError && error.status === 410 ? error.members['oldest'] : undefined;
    if (!mayBeginLater || typeof oldest !== 'number') throw error;
    return server.send({ path: '/events', query: buildPageQuery(String(oldest - 1)) });
  }
}

/** Runs until interrupted: reconnects when the stream ends and continues after the last event. */
async function followEvents(server: ServerClient, { world, text }: Task): Promise<never> {
  let after = text('after');
  let pauseMs = FIRST_PAUSE_MS;
  let isFirst = true;
  for (;;) {
    try {
      const reply = await server.send({
        path: '/events',
        query: [['after', after]],
        headers: { accept: 'text/event-stream, application/problem+json;q=0.9' },
      });
      isFirst = false;
      // Remember the position, to miss no event if the stream breaks before the first one.
      after ??= reply.header('graticule-position');
      for await (const { id, data } of parseServerSentEvents(reply.pieces)) {
        world.print(`${data}\n`);
        after = id ?? after;
        pauseMs = FIRST_PAUSE_MS;
      }
    } catch (error) {
      // Client errors would repeat, and a server that is unreachable at the start is probably misspelt.
      if (isFirst || (error instanceof ResponseError && error.status < 500)) throw error;
    }
    world.printError(`The stream ended. Reconnecting in ${pauseMs / 1_000} s.\n`);
    await world.wait(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

interface ServerSentEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Skips comments and events without data. */
async function* parseServerSentEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  let id: string | undefined;
  let data: string[] = [];
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { id, data: data.join('\n') };
        id = undefined;
        data = [];
        continue;
      }
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
      if (field === 'id') id = value;
      if (field === 'data') data.push(value);
    }
  }
}
