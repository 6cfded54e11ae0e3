/** Examines the whole server: database, files, secrets, references, disks, and the data of stores. */
import type { Store } from '../../catalog/kinds/store.ts';
import { storeKinds } from '../../catalog/kinds/store-kinds.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import { createYieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Keystore } from '../../security/keystore/keystore.ts';
import type { Nodes } from '../../storage/nodes/nodes.ts';
import type { Storage } from '../../storage/port/port.ts';
import type { DiskUsage } from '../system/disk-usage.ts';
import { checkDisk } from './check-disk.ts';
import { checkNodeFiles, type NodeFilesCheckInput } from './check-node-files.ts';
import { checkNodes } from './check-nodes.ts';
import { checkRecords, createRecordPaths, type RecordsCheckInput } from './check-records.ts';
import { findStoreProblem, type StoreData } from './check-stores.ts';
import { type Check, type Diagnosis, Findings } from './diagnosis.ts';

export interface DoctorInput
  extends StoreData,
    Omit<RecordsCheckInput, 'sealer'>,
    Pick<NodeFilesCheckInput, 'nodeFiles'> {
  readonly storage: StorageHealth;
  readonly nodes: Nodes;
  readonly disk: DiskUsage;
  readonly keystore: Keystore;
}

export type StorageHealth = Pick<Storage, 'findIntegrityProblems' | 'isWritable'>;

export interface DoctorOptions {
  /** Whether the data of stores is checked. */
  readonly connect: boolean;
  readonly signal: AbortSignal;
}

/** Yields after this much work; a small request needs several turns. */
const STRETCH_MS = 5;

/** Number of stores checked concurrently. */
const STORES_AT_ONCE = 4;

export async function runDoctor(input: DoctorInput, { connect, signal }: DoctorOptions): Promise<Diagnosis> {
  const findings = new Findings();
  const pace = createYieldIfDue({ everyMs: STRETCH_MS, now: () => performance.now() });
  const storage = await checkStorage(input, findings);
  const { sealer } = input.keystore;
  const records = await checkRecords({ ...input, sealer }, findings, { pace, signal });
  const keystore = await checkKeystore(input, findings);
  const stores = connect ? [await checkStores(input, findings, signal)] : [];
  if (input.nodes.isShared) {
    await checkNodeFiles(input, findings, createRecordPaths(input.catalog, input.recordKinds), signal);
  }
  const nodes = input.nodes.isShared ? [await checkNodes(input.nodes, findings)] : [];
  const disk = await checkDisk(input.disk, findings, signal);
  return { checks: [storage, keystore, ...records, disk, ...nodes, ...stores], findings: findings.entries };
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
    await keystore.getPassword();
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
      const enabled = piece.filter((store) => store.enabled);
      checked += enabled.length;
      disabled += piece.length - enabled.length;
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
