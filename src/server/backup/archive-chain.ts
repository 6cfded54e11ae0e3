/** A backup with the incremental backups before it, as the source of a copy. */
import { BackupArchive, UnusableBackup } from '../../lib/backup/archive-reader.ts';
import type { IndexLine } from '../../lib/backup/format.ts';
import type { CopiedGranule, CopiedVersion } from '../../raster/granules/copy/copied-granules.ts';
import type { GranuleReader } from '../../raster/granules/copy/granule-copies.ts';
import type { GranuleSchema } from '../../raster/granules/port/port.ts';
import type { CopiedRow, CopySource } from '../../storage/copy/tables.ts';

/** A file that was given, for messages. */
interface NamedArchive {
  readonly file: string;
  readonly archive: BackupArchive;
}

export interface ArchiveChainOptions {
  /** A full backup and its incremental backups, in any order. */
  readonly files: readonly string[];
  readonly passphrase: string | undefined;
}

export class ArchiveChain {
  /** The base first. */
  readonly #archives: readonly BackupArchive[];
  /** The backup that is restored. */
  readonly #last: BackupArchive;

  private constructor(archives: readonly BackupArchive[], last: BackupArchive) {
    this.#archives = archives;
    this.#last = last;
  }

  /** Reads every byte of every file, and throws if anything is missing or damaged. */
  static open({ files, passphrase }: ArchiveChainOptions): ArchiveChain {
    const opened: NamedArchive[] = [];
    try {
      for (const file of files) {
        opened.push({ file, archive: describeFailure(file, () => openArchive(file, passphrase)) });
      }
      const archives = sortArchives(opened);
      const last = archives.at(-1);
      if (last === undefined) throw new UnusableBackup('No file is named.');
      const chain = new ArchiveChain(archives, last);
      chain.#checkObjects();
      return chain;
    } catch (error) {
      for (const { archive } of opened) archive.close();
      throw error;
    }
  }

  get manifest() {
    return this.#last.manifest;
  }

  get id(): string {
    return this.#last.id;
  }

  readLines(): Generator<IndexLine> {
    return this.#last.readLines();
  }

  /** Returns the paths of stored files that were damaged when the backup was made. */
  listDamaged(): readonly string[] {
    return this.#last.listDamaged();
  }

  *readObject(hash: string): Generator<Buffer> {
    // A file that was damaged in an earlier backup can be intact in a later one.
    const archive = this.#archives.findLast((each) => each.hasObject(hash));
    if (archive === undefined) throw new UnusableBackup(`The object ${hash} is missing.`);
    yield* archive.readObject(hash);
  }

  /** Reads an object with one JSON value on each line. */
  readValues<T>(hash: string): readonly T[] {
    const text = Buffer.concat([...this.readObject(hash)]).toString();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => parseValue<T>(hash, line));
  }

  close(): void {
    for (const archive of this.#archives) archive.close();
  }

  #checkObjects(): void {
    for (const hash of this.#last.listObjects()) {
      if (!this.#archives.some((archive) => archive.hasObject(hash))) {
        throw new UnusableBackup(`The object ${hash} is missing.`);
      }
    }
  }
}

/** The hash of an object is correct in an archive that another program wrote. */
function parseValue<T>(hash: string, line: string): T {
  try {
    return JSON.parse(line) as T;
  } catch {
    throw new UnusableBackup(`The object ${hash} is not a list of JSON values. Use another backup.`);
  }
}

function openArchive(file: string, passphrase: string | undefined): BackupArchive {
  return BackupArchive.open(file, { passphrase, checksObjects: true });
}

function describeFailure<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnusableBackup)) throw error;
    throw new UnusableBackup(`Cannot use the backup '${file}': ${error.message}.`);
  }
}

/** Returns the full backup first, and each incremental backup after its base. */
function sortArchives(opened: readonly NamedArchive[]): readonly BackupArchive[] {
  const sorted: BackupArchive[] = [];
  let since: string | null = null;
  while (sorted.length < opened.length) {
    const next = opened.find(({ archive }) => archive.manifest.since === since && !sorted.includes(archive));
    if (next === undefined) throw createGapError(opened, sorted, since);
    sorted.push(next.archive);
    since = next.archive.id;
  }
  return sorted;
}

function createGapError(
  opened: readonly NamedArchive[],
  sorted: readonly BackupArchive[],
  since: string | null,
): UnusableBackup {
  const rest = opened.find(({ archive }) => !sorted.includes(archive));
  const base = rest?.archive.manifest.since ?? null;
  if (rest === undefined || base === null || base === since) {
    return new UnusableBackup(
      'The files belong to different backups. Name one full backup and its incremental backups.',
    );
  }
  return new UnusableBackup(
    `The backup '${rest.file}' is incremental and continues the backup with the id ${base}, which is missing. Name that file as well.`,
  );
}

/** The storage in a backup. */
export function createArchiveSource(chain: ArchiveChain): CopySource {
  return {
    async readHead() {
      for (const line of chain.readLines()) if (line.kind === 'head') return line;
      throw new UnusableBackup('The backup has no position.');
    },
    async *readRows({ name, columns }) {
      for (const line of chain.readLines()) {
        if (line.kind === 'rows' && line.table === name) {
          // Backups of earlier versions lack columns that were added at the end.
          yield chain.readValues<CopiedRow>(line.object).map((row) => columns.map((_, at) => row[at] ?? null));
        }
      }
    },
    async *listBlobs(shelf) {
      for (const line of chain.readLines()) if (line.kind === 'blob' && line.shelf === shelf) yield line;
    },
    async *read(_, hash) {
      yield* chain.readObject(hash);
    },
    close: async () => chain.close(),
  };
}

/** The granules in a backup; undefined without granules. */
export function createGranuleReader(chain: ArchiveChain): GranuleReader | undefined {
  const versions: CopiedVersion[] = [];
  const indexes: { mosaic: string; schema: GranuleSchema; objects: string[] }[] = [];
  let isPresent = false;
  for (const line of chain.readLines()) {
    if (line.kind === 'granule versions') {
      versions.push(...chain.readValues<CopiedVersion>(line.object));
      isPresent = true;
    } else if (line.kind === 'granules') {
      const last = indexes.at(-1);
      // The server wrote it.
      const schema = line.schema as GranuleSchema;
      if (last?.mosaic === line.mosaic && JSON.stringify(last.schema) === JSON.stringify(schema)) {
        last.objects.push(line.object);
      } else indexes.push({ mosaic: line.mosaic, schema, objects: [line.object] });
    }
  }
  if (!isPresent) return undefined;
  return {
    listVersions: async () => versions,
    listIndexes: async () =>
      indexes.map(({ mosaic, schema, objects }) => ({
        mosaic,
        schema,
        readRows: async function* () {
          for (const object of objects) yield chain.readValues<CopiedGranule>(object);
        },
      })),
  };
}
