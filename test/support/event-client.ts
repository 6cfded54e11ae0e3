/** A client of the event stream over a separate connection. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export interface ReceivedEvent {
  readonly id: number;
  readonly type: string;
  readonly data: unknown;
}

export interface EventClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** All text received so far. */
  readonly text: () => string;
  readonly events: readonly ReceivedEvent[];
  /** Resolves after this number of events. */
  until(count: number): Promise<readonly ReceivedEvent[]>;
  /** Resolves once the text contains this. */
  untilText(part: string): Promise<void>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

export interface EventClientOptions {
  readonly port: number;
  /** The path with its query. */
  readonly path: string;
  /** `user:password` */
  readonly as: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function openEventClient({ port, path, as, headers = {} }: EventClientOptions): Promise<EventClient> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asking: ClientRequest = request({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      headers: {
        accept: 'text/event-stream',
        authorization: `Basic ${Buffer.from(as).toString('base64')}`,
        ...headers,
      },
    });
    asking.on('response', resolve).on('error', reject).end();
  });
  const events: ReceivedEvent[] = [];
  const waiting = new Set<() => void>();
  let text = '';
  let rest = '';
  const look = () => {
    for (const each of waiting) each();
  };
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    text += piece;
    const blocks = `${rest}${piece}`.split('\n\n');
    rest = blocks.pop() ?? '';
    events.push(...blocks.flatMap((block) => eventIn(block)));
    look();
  });
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => {
      resolve();
      look();
    });
  });
  response.on('error', () => {});

  function untilTrue(isSo: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!isSo() && !response.closed) return;
        waiting.delete(check);
        if (isSo()) resolve();
        else reject(new Error(`The stream ended too soon, after: ${text.slice(-500)}`));
      };
      waiting.add(check);
      check();
    });
  }

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    events,
    ended,
    until: async (count) => {
      await untilTrue(() => events.length >= count);
      return events;
    },
    untilText: (part) => untilTrue(() => text.includes(part)),
    close: () => response.destroy(),
  };
}

function eventIn(block: string): readonly ReceivedEvent[] {
  const fields = block.split('\n').filter((line) => line !== '' && !line.startsWith(':'));
  const field = (name: string) => fields.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = field('data');
  return data === undefined
    ? []
    : [{ id: Number(field('id')), type: field('event') ?? '', data: JSON.parse(data) as unknown }];
}
