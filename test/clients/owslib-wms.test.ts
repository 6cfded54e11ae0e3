/** OWSLib finds layers and their styles in the capabilities of both versions, and draws them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { publishSquares } from '../support/maps.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { tools } from '../support/tools.ts';
import { describeWithTool } from '../support/with-tool.ts';

const run = promisify(execFile);

interface Found {
  readonly layers: Readonly<Record<string, { readonly box: readonly number[]; readonly styles: readonly string[] }>>;
  readonly formats: readonly string[];
  readonly picture: string;
  readonly info: string;
}

describeWithTool('owslib', 'OWSLib reads WMS', () => {
  const client = useSocketClient();

  beforeAll(() => publishSquares(client.server));

  it.each(['1.1.1', '1.3.0'])('in version %s', async (version) => {
    const script = join(import.meta.dirname, 'python/read_wms.py');
    const url = `http://127.0.0.1:${client.port}/geoserver/wms`;

    const { stdout } = await run(tools.owslib.find() ?? 'python3', [script, url, version]);

    const { layers, formats, picture, info } = JSON.parse(stdout) as Found;
    expect(layers).toEqual({
      'topo:west': { box: [0, 0, 5, 10], styles: ['topo:red'] },
      'topo:east': { box: [5, 0, 10, 10], styles: ['topo:blue'] },
    });
    expect(formats).toContain('image/png');
    const { default: sharp } = await import('sharp');
    const { data, info: size } = await sharp(Buffer.from(picture, 'base64'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const colour = (x: number, y: number) => [...data.subarray((y * size.width + x) * 3).subarray(0, 3)];
    expect([colour(4, 4), colour(15, 4)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ]);
    expect(info).toContain('kind = high');
  });
});
