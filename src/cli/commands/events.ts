/** The command that tells of changes as they happen. */
import { type Command, type Reply, ResponseError, type ServerClient, type Task } from '../client/command.ts';
import { parseServerSentEvents } from './server-sent-events.ts';

/** As long as there is no connection, the next is tried after so long. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export const eventsCommand: Command = {
  usage: '[--after N] [--follow]',
  summary: 'Tells of changes, a JSON document a line; with --follow also of those to come.',
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

/** Page by page, up to what is the last when it is asked. */
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

/** Whoever does not say where to begin gets all that is kept. */
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

/** For ever: whenever the stream ends, it goes on behind what was told last. */
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
      // Nothing that happens before the first event may be missed when the stream breaks off.
      after ??= reply.header('graticule-position');
      for await (const { id, data } of parseServerSentEvents(reply.pieces)) {
        world.print(`${data}\n`);
        after = id ?? after;
        pauseMs = FIRST_PAUSE_MS;
      }
    } catch (error) {
      // A server that says no will say so again; one that was never there is not waited for.
      if (isFirst || (error instanceof ResponseError && error.status < 500)) throw error;
    }
    world.printError(`The stream has ended; it is opened again in ${pauseMs / 1_000} s.\n`);
    await world.wait(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
