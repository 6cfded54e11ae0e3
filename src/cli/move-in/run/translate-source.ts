/** Translates a data directory to an archive and a report. */
import { translateSecurity } from '../accounts/security.ts';
import { Archive } from '../archive/archive.ts';
import { SecretWriter } from '../archive/secret-writer.ts';
import { DocumentReader } from '../read/read-xml.ts';
import { Report } from '../report/report.ts';
import type { KeyRing } from '../security/key-ring.ts';
import { reportProjections, translateSettings } from '../settings/settings.ts';
import { translateGridSets, translateTileLayers } from '../settings/tiles.ts';
import { FileTree } from '../source/file-tree.ts';
import type { Source } from '../source/source.ts';
import { translateGroups } from '../translate/layer-groups.ts';
import { reportLeftovers } from '../translate/leftovers.ts';
import type { Move } from '../translate/move.ts';
import type { MoveOptions } from '../translate/options.ts';
import { translateResources } from '../translate/resources.ts';
import { SourceIndex } from '../translate/source-index.ts';
import { translateStoredQueries } from '../translate/stored-queries.ts';
import { translateStores } from '../translate/stores.ts';
import { translateStyles } from '../translate/styles.ts';
import { translateTemplates } from '../translate/templates.ts';
import { UrlChecks } from '../translate/url-checks.ts';
import { translateWorkspaces } from '../translate/workspaces.ts';

export interface Translation {
  readonly archive: Archive;
  readonly report: Report;
}

/** The same source and options give the same archive. */
export async function translateSource(source: Source, keys: KeyRing, options: MoveOptions): Promise<Translation> {
  const report = new Report();
  options.copies?.begin();
  const files = new FileTree(source.files);
  const archive = new Archive(report, files, options);
  const move: Move = {
    source,
    files,
    documents: new DocumentReader(source, files, report),
    report,
    archive,
    index: new SourceIndex(),
    options,
    secrets: new SecretWriter(options),
    passwords: keys,
  };
  await translateWorkspaces(move);
  const checks = new UrlChecks(move);
  await checks.translate();
  await translateStyles(move);
  await translateStores(move, checks);
  await translateResources(move);
  await translateTemplates(move);
  await translateGroups(move);
  await translateStoredQueries(move);
  await translateGridSets(move);
  await translateTileLayers(move);
  await translateSettings(move);
  await translateSecurity(move, keys);
  await reportProjections(move);
  reportLeftovers(move);
  if (archive.omitted > 0) {
    report.add('not-selected', { source: '.' }, `--only leaves out ${archive.omitted} resources.`);
  }
  return { archive, report };
}
