/** Runs the translator of `graticule move-in` in a worker: the source decides how long it takes. */
import { join } from 'node:path';
import { toReportDocument } from '../../cli/move-in/report/format-report.ts';
import { MoveInError } from '../../cli/move-in/report/move-in-error.ts';
import { translateSource } from '../../cli/move-in/run/translate-source.ts';
import { openKeyRing } from '../../cli/move-in/security/key-ring.ts';
import { openDirectory } from '../../cli/move-in/source/directory-source.ts';
import { checkLayout } from '../../cli/move-in/source/open-source.ts';
import { findTopFolder } from '../../cli/move-in/source/zip-source.ts';
import { Renames } from '../../cli/move-in/translate/renames.ts';
import type {
  DirectoryToTranslate,
  DirectoryTranslation,
  TranslateDirectory,
} from '../../operations/translate-directory.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { Task } from '../../workers/task.ts';
import { markTransferable } from '../../workers/transferables.ts';

/** A hundred thousand layers need about half of it on one core. */
const DEADLINE_MS = 120_000;

/** The description of the change that applies the document. */
const MESSAGE = 'move in from GeoServer';

const translation: Task<DirectoryToTranslate, DirectoryTranslation> = {
  module: import.meta.url,
  name: 'translateUnpackedDirectory',
  work: translateUnpackedDirectory,
};

export function openTranslation(pool: WorkerPool): TranslateDirectory {
  return (directory, signal) =>
    pool.run(translation, directory, { signal, deadlineMs: DEADLINE_MS, maxComputingMs: DEADLINE_MS });
}

export async function translateUnpackedDirectory(directory: DirectoryToTranslate): Promise<DirectoryTranslation> {
  const { folder, names, masterPassword, contextPath, urlChecks, addsUrlChecks } = directory;
  try {
    const source = openDirectory(join(folder, findTopFolder(names)), 'zip', 'archive');
    checkLayout(source);
    const { archive, report } = await translateSource(source, await openKeyRing(source, masterPassword), {
      only: [],
      renames: new Renames([]),
      paths: [],
      databases: new Map(),
      secrets: new Map(),
      keepsPlaceholders: false,
      withSecrets: false,
      // Placeholders of a client must not read variables of this server.
      environment: {},
      addsUrlChecks,
      opensRestRules: false,
      masterPassword,
      contextPath,
      targetUrlChecks: urlChecks,
      rejections: new Map(),
    });
    const facts = { kind: 'zip', version: null, files: source.files.length } as const;
    const reported = toReportDocument(report, { source: facts, error: null, plan: null, change: null });
    // Both can be large: they are written here, not in the thread of all requests.
    const head = Buffer.from(`{"report":${JSON.stringify(reported)},"configuration":`);
    const document = new Uint8Array(Buffer.concat([head, ...archive.encode(MESSAGE), Buffer.from('}')]));
    return markTransferable({ kind: 'translated', document } as const, [document.buffer]);
  } catch (error) {
    if (!(error instanceof MoveInError)) throw error;
    return { kind: 'refused', reason: error.code, message: error.message };
  }
}
