/** Programs in the style of common Python clients, which expect exact statuses, against the geoserver dialect. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ADMIN_PASSWORD, startServer } from '../e2e/started-server.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { lineSld } from '../support/styles.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { tools } from '../support/tools.ts';
import { pointShapefile, writeShapefiles } from '../support/vector-samples.ts';
import { describeWithTool } from '../support/with-tool.ts';

describeWithTool('requests', 'Python clients', () => {
  it.each(['catalog_style', 'script_style'])(
    'a client in the style of %s gets the expected responses',
    async (program) => {
      const server = await startServer({ flags: ['--compat', 'geoserver'] });
      const files = await writeShapefiles(join(await temporaryFolder(), 'files'), { roads: pointShapefile() });
      await writeFile(join(files, 'lines.sld'), lineSld('lines'));
      await writeFile(join(files, 'height.tif'), geotiffBytes(30, 20));

      const { stdout } = await promisify(execFile)(
        tools.requests.find() ?? '',
        [join(import.meta.dirname, `python/${program}.py`)],
        { env: { ...process.env, REST: server.url, FILES: files, PASSWORD: ADMIN_PASSWORD } },
      );

      expect(stdout).toBe('"done"\n');
    },
  );
});
