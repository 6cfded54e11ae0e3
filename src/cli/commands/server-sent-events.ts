/** Parses a stream of server-sent events. */

export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Skips comments and events without data. */
export async function* parseServerSentEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
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
