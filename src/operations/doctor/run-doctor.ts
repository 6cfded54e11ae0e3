/** Examines the whole server: database, files, secrets, references, disks, and the data of stores. */
import type { Store } from '../../catalog/kinds/store.ts';
import { storeKinds } from '../../catalog/kinds/store-kinds.ts';
import type { StyleServices } from '../../catalog/styles/style-services.ts';
import { formatFontsVersion } from '../../catalog/styles/uploaded-fonts.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import { createYieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { FeatureLocks } from '../../lib/locks/feature-locks.ts';
import type { Keystore } from '../../security/keystore/keystore.ts';
import type { Nodes } from '../../storage/nodes/nodes.ts';
import type { Storage } from '../../storage/port/port.ts';
import { formatMissingGlyphs } from '../../styling/fonts/missing-glyphs.ts';
import type { Backups, CompleteBackup } from '../backup/backups.ts';
import type { DiskRoot, DiskUsage, RootName } from '../system/disk-usage.ts';
import { checkDataRules } from './check-data-rules.ts';
import { checkNodeFiles, type NodeFilesCheckInput } from './check-node-files.ts';
import { checkRecords, createRecordPaths, type RecordPaths, type RecordsCheckInput } from './check-records.ts';
import { findStoreProblem, type StoreData } from './check-stores.ts';
import { type Check, type Diagnosis, Findings, type Selection } from './diagnosis.ts';

export interface DoctorInput
  extends StoreData,
    Omit<RecordsCheckInput, 'sealer'>,
    Pick<NodeFilesCheckInput, 'nodeFiles'> {
  readonly storage: StorageHealth;
  readonly nodes: Nodes;
  readonly featureLocks: Pick<FeatureLocks, 'list'>;
  readonly disk: DiskUsage;
  readonly keystore: Keystore;
  readonly styles: Pick<StyleServices, 'missingGlyphs' | 'fonts'>;
  readonly backups: Pick<Backups, 'readScheduleStatus'>;
}

export type StorageHealth = Pick<Storage, 'findIntegrityProblems' | 'isWritable'>;

export interface DoctorOptions {
  /** Whether the data of stores is checked. */
  readonly connect: boolean;
  /** Limits the checks to some records; undefined for the whole server. */
  readonly selects?: Selection | undefined;
  readonly signal: AbortSignal;
}

/** Yields after this much work; a small request needs several turns. */
const STRETCH_MS = 5;

/** Number of stores checked concurrently. */
const STORES_AT_ONCE = 4;

export async function runDoctor(input: DoctorInput, options: DoctorOptions): Promise<Diagnosis> {
  return options.selects === undefined ? checkServer(input, options) : checkSelection(input, options);
}

/** Only the records: problems of the server belong to none of them. */
async function checkSelection(input: DoctorInput, { connect, selects, signal }: DoctorOptions): Promise<Diagnosis> {
  const findings = new Findings(selects);
  const pace = createYieldIfDue({ everyMs: STRETCH_MS, now: () => performance.now() });
  const records = await checkRecords({ ...input, sealer: input.keystore.sealer }, findings, { pace, signal });
  const vectorData = connect ? input.vectorData : undefined;
  const dataRules = await checkDataRules({ catalog: input.catalog, vectorData }, findings, { pace, signal });
  const keystore = findings.summarize('keystore', 'The encrypted secrets were opened.');
  const stores = connect ? [await checkStores(input, findings, signal)] : [];
  return { checks: [keystore, ...records, ...dataRules, ...stores], findings: findings.entries };
}

async function checkServer(input: DoctorInput, { connect, signal }: DoctorOptions): Promise<Diagnosis> {
  const findings = new Findings();
  const pace = createYieldIfDue({ everyMs: STRETCH_MS, now: () => performance.now() });
  const storage = await checkStorage(input, findings);
  const { sealer } = input.keystore;
  const records = await checkRecords({ ...input, sealer }, findings, { pace, signal });
  const vectorData = connect ? input.vectorData : undefined;
  const dataRules = await checkDataRules({ catalog: input.catalog, vectorData }, findings, { pace, signal });
  const keystore = await checkKeystore(input, findings);
  const stores = connect ? [await checkStores(input, findings, signal)] : [];
  if (input.nodes.isShared) {
    await checkNodeFiles(input, findings, createRecordPaths(input.catalog, input.recordKinds), signal);
  }
  const nodes = input.nodes.isShared ? [await checkNodes(input.nodes, findings)] : [];
  const disk = await checkDisk(input.disk, findings, signal);
  const fonts = await checkFonts(input, findings);
  const backup = await checkBackups(input.backups, findings);
  const locks = await describeLocks(input.featureLocks, findings);
  const more = [...fonts, ...backup, ...nodes, ...locks, ...stores];
  return { checks: [storage, keystore, ...records, ...dataRules, disk, ...more], findings: findings.entries };
}

/** The number of locks that are counted. */
const MAX_LOCKS = 1_000;

/** Locks are no problem, but explain why features cannot be changed. */
async function describeLocks(locks: DoctorInput['featureLocks'], findings: Findings): Promise<readonly Check[]> {
  const found = await locks.list(undefined, MAX_LOCKS);
  if (found.length === 0) return [];
  const features = found.reduce((sum, each) => sum + each.features, 0);
  const counts = `${found.length === 1 ? '1 lock' : `${found.length} locks`} of users hold${found.length === 1 ? 's' : ''} ${features} ${features === 1 ? 'feature' : 'features'}.`;
  return [findings.summarize('locks', `${counts} They are listed at /locks.`)];
}

async function checkStorage({ storage }: DoctorInput, findings: Findings): Promise<Check> {
  for (const message of await storage.findIntegrityProblems()) {
    findings.add('storage', { place: null, code: 'storage-damaged', message });
  }
  if (!storage.isWritable()) {
    const message = 'A change could not be written to disk. The server is read-only until it is restarted.';
    findings.add('storage', { place: null, code: 'storage-read-only', message });
  }
  return findings.summarize('storage', 'The whole database was checked.');
}

async function checkKeystore({ keystore }: DoctorInput, findings: Findings): Promise<Check> {
  try {
    const { previousServerKeys, nextDataKey } = await keystore.readKeys();
    if (previousServerKeys.length > 0) {
      const message = `Previous server keys still open the keystore: ${previousServerKeys.join(', ')}. When all nodes use the new key, run graticule rotate-key finish.`;
      findings.add('keystore', { place: null, code: 'server-key-rotation-unfinished', message });
    }
    if (nextDataKey !== undefined) {
      const message = `The data key ${nextDataKey} is prepared, but not in use. Run graticule rotate-key data again.`;
      findings.add('keystore', { place: null, code: 'data-key-rotation-unfinished', message });
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    findings.add('keystore', { place: null, code: 'keystore-unusable', message });
  }
  return findings.summarize('keystore', 'The keystore and all encrypted secrets were opened.');
}

async function checkStores(input: DoctorInput, findings: Findings, signal: AbortSignal): Promise<Check> {
  const { catalog, recordKinds } = input;
  const places = createRecordPaths(catalog, recordKinds);
  const limit = createConcurrencyLimiter(STORES_AT_ONCE);
  let checked = 0;
  let disabled = 0;
  const checkStore = async (store: Store) => {
    signal.throwIfAborted();
    const problem = await findStoreProblem(store, input);
    if (problem !== undefined) {
      findings.add('stores', { place: await places.getPath(store), code: problem.code, message: problem.message });
    }
  };
  for (const kind of storeKinds) {
    for await (const piece of catalog.readAll(kind)) {
      const selected = await selectStores(piece, places, findings.selects);
      const enabled = selected.filter((store) => store.enabled);
      checked += enabled.length;
      disabled += selected.length - enabled.length;
      await Promise.all(enabled.map((store) => limit(() => checkStore(store))));
    }
  }
  const skipped =
    disabled === 0 ? '' : ` ${disabled} disabled ${disabled === 1 ? 'store was' : 'stores were'} skipped.`;
  return findings.summarize(
    'stores',
    `The data of ${checked} ${checked === 1 ? 'store' : 'stores'} was checked.${skipped}`,
  );
}

async function selectStores(
  stores: readonly Store[],
  places: RecordPaths,
  selects: Selection | undefined,
): Promise<readonly Store[]> {
  if (selects === undefined) return stores;
  const selected: Store[] = [];
  for (const store of stores) if (selects(await places.getPath(store))) selected.push(store);
  return selected;
}

/** A disk counts as nearly full below the smaller of these limits: larger uploads will soon fail. */
const LOW_BYTES = 256 * 1024 * 1024;
const LOW_SHARE = 0.05;

const folderNames: Readonly<Record<RootName, string>> = {
  data: 'the data directory',
  'tile-cache': 'the tile cache',
  blobs: 'the --blobs directory',
};

function isNearlyFull({ freeBytes, totalBytes }: Pick<DiskRoot, 'freeBytes' | 'totalBytes'>): boolean {
  return freeBytes < Math.min(LOW_BYTES, totalBytes * LOW_SHARE);
}

async function checkDisk(usage: DiskUsage, findings: Findings, signal: AbortSignal): Promise<Check> {
  const roots = await usage.roots();
  for (const root of roots.filter(isNearlyFull)) {
    const message =
      `The disk of ${folderNames[root.name]} is nearly full: ${root.freeBytes} of ${root.totalBytes} bytes are free. ` +
      'Delete data that is no longer needed, or enlarge the disk.';
    findings.add('disk', { place: null, code: 'disk-nearly-full', message });
  }
  const { files, bytes } = await usage.countOrphans(signal);
  const free = roots.map(({ name, freeBytes }) => `${freeBytes} bytes are free on the disk of ${folderNames[name]}`);
  const orphaned = `${files === 1 ? '1 stored file' : `${files} stored files`} with ${bytes} bytes ${files === 1 ? 'is' : 'are'} not referenced and will be deleted`;
  return findings.summarize('disk', [...free, orphaned].map((each) => `${each}.`).join(' '));
}

/** Reports the characters of labels on recent maps of this node that no font has. */
async function checkFonts({ catalog, styles }: DoctorInput, findings: Findings): Promise<readonly Check[]> {
  const version = formatFontsVersion(await styles.fonts.list(catalog));
  const missing = styles.missingGlyphs.list(version);
  for (const each of missing)
    findings.add('fonts', { place: null, code: 'glyphs-missing', message: formatMissingGlyphs(each) });
  return missing.length === 0 ? [] : [findings.summarize('fonts', 'The labels of recent maps were checked.')];
}

/** Checks the scheduled backups, if there is a schedule. */
async function checkBackups(
  { readScheduleStatus }: DoctorInput['backups'],
  findings: Findings,
): Promise<readonly Check[]> {
  const status = await readScheduleStatus();
  if (status === undefined) return [];
  const { success, intactAtMs, failure, isOverdue } = status;
  const add = (code: string, message: string) => findings.add('backup', { place: null, code, message });
  if (failure !== null) add('backup-failed', `The last scheduled backup failed: ${failure}`);
  if (isOverdue) {
    add(
      'backup-overdue',
      'No scheduled backup was completed for twice the scheduled time. Read the log of every node.',
    );
  }
  if (success !== null && success.damagedFiles > 0) add('backup-damaged', describeDamage(success, intactAtMs));
  const last = success === null ? 'No scheduled backup was completed yet.' : describeBackup(success);
  return [findings.summarize('backup', last)];
}

function describeDamage({ damagedFiles }: CompleteBackup, intactAtMs: number | null): string {
  const intact =
    intactAtMs === null
      ? 'No scheduled backup without damaged files exists'
      : `The last backup without damaged files is of ${new Date(intactAtMs).toISOString()} and is kept`;
  return `The last scheduled backup contains damaged stored files: ${damagedFiles}. ${intact}. Replace the files that the check 'files' names.`;
}

function describeBackup({ atMs, bytes }: CompleteBackup): string {
  return `The last scheduled backup was made on ${new Date(atMs).toISOString()} and has ${bytes} bytes.`;
}

/** Node clocks decide nothing, but they affect the timestamps in logs. */
const MAX_CLOCK_OFFSET_MS = 5_000;

/** More than a node can fall behind between two of its reports. */
const MAX_CHANGES_BEHIND = 10_000;

/** Checks that the nodes of one storage agree. */
async function checkNodes(nodes: Nodes, findings: Findings): Promise<Check> {
  const alive = (await nodes.list()).filter(({ isAlive }) => isAlive);
  const addFinding = (code: string, message: string) => findings.add('nodes', { place: null, code, message });
  const last = Math.max(0, ...alive.map(({ position }) => position));
  for (const { name, clockAheadMs, position, cacheBytes, cacheLimitBytes } of alive) {
    if (Math.abs(clockAheadMs) > MAX_CLOCK_OFFSET_MS) {
      addFinding(
        'node-clock',
        `The clock of ${name} differs from the clock of the database by ${clockAheadMs} ms. Synchronize the clocks.`,
      );
    }
    if (last - position > MAX_CHANGES_BEHIND) {
      addFinding(
        'node-behind',
        `${name} has applied changes up to ${position}, while another node has applied ${last}.`,
      );
    }
    if (cacheBytes > cacheLimitBytes) {
      addFinding(
        'node-copies',
        `The file cache of ${name} uses ${cacheBytes} bytes and exceeds its limit of ${cacheLimitBytes} bytes.`,
      );
    }
  }
  const versions = new Set(alive.map(({ version }) => version));
  if (versions.size > 1) {
    addFinding('node-version', `The nodes run the versions ${[...versions].join(', ')}. Finish the upgrade.`);
  }
  if (await nodes.canLoseChanges()) {
    const message =
      'The database does not wait for its standbys. After a failover, the last changes can be lost. Enable synchronous replication.';
    addFinding('standby-not-awaited', message);
  }
  return findings.summarize('nodes', `${alive.length} ${alive.length === 1 ? 'node is' : 'nodes are'} active.`);
}
