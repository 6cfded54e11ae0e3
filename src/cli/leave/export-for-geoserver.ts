/** Runs `graticule export --as geoserver`. */
import { CommandError, type Task } from '../client/command.ts';
import { downloadConfiguration } from './archive/download-configuration.ts';
import { dropMissingFiles } from './output/stored-files.ts';
import { checkDirectory, writeDirectory } from './output/write-directory.ts';
import { streamZip } from './output/write-zip.ts';
import { formatReport, ReportCollector } from './report/report.ts';
import { Leaving } from './translate/leaving.ts';
import { translateConfiguration } from './translate/translate.ts';

const EXIT_SKIPPED = 5;

const PRIVATE = 0o600;

/** Returns the exit code. */
export async function exportForGeoserver({ world, server, text, texts, flag }: Task): Promise<number> {
  const output = text('output');
  if (output === undefined) throw new CommandError('--as geoserver needs --output DIR or --output FILE.zip.');
  const isZip = output.toLowerCase().endsWith('.zip');
  const target = world.resolvePath(output.replace(/(?<=.)\/+$/, ''));
  if (!isZip) await checkDirectory(target, output);
  const withSecrets = flag('with-secrets');
  const client = await server();
  const configuration = await downloadConfiguration(client, texts('path'), withSecrets);
  try {
    const report = new ReportCollector();
    const leaving = new Leaving(configuration, { report, server: client, withSecrets });
    await translateConfiguration(leaving);
    dropMissingFiles(leaving);
    if (isZip) await world.writeFile(output, streamZip(leaving), withSecrets ? { mode: PRIVATE } : {});
    else await writeDirectory(target, output, leaving);
    const document = report.createReport(configuration.hash, leaving.files.size);
    world.print(flag('json') ? `${JSON.stringify(document, null, 2)}\n` : formatReport(document));
    return document.summary.skipped > 0 ? EXIT_SKIPPED : 0;
  } finally {
    await configuration.close();
  }
}
