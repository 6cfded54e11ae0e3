import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { inflateStream } from './inflate-entry.ts';

const packed = deflateRawSync('a text that is packed '.repeat(2_000));

async function* chunks(data: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < data.length; at += 64) yield data.subarray(at, at + 64);
}

it('reports damage to the reader, whether it is found before or during reading', async () => {
  for (let round = 0; round < 3_000; round += 1) {
    const content = inflateStream(chunks(packed.subarray(0, 20 + (round % 126))), 1_000);
    for (let turns = round % 6; turns > 0; turns -= 1) await turn();

    // An error event without a listener would end the process.
    await expect(buffer(content)).rejects.toThrow('unexpected end of file');
  }
});
