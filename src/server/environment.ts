/** The environment of a server: logger, clock, network and disk. Tests replace parts of it. */
import type { FastifyBaseLogger } from 'fastify';
import type { DeliveryTimes } from '../catalog/webhooks/deliver-events.ts';
import type { ResolveHost } from '../gates/url-gate.ts';
import type { AccessEntry, RequestLogger } from '../http/context/app-options.ts';
import type { DocumentRoute, RouteTable } from '../http/routes/route.ts';
import type { Certificate } from '../http/tls/secure-connections.ts';
import type { Services } from '../interface/common/services.ts';
import type { DroppedLines } from '../operations/metrics/log-metrics.ts';
import type { PasswordCost } from '../security/core/passwords.ts';
import type { ExtentTimes } from '../services/ogc-api/features/collections/features-context.ts';
import type { Disk } from '../storage/blobs/disk.ts';
import type { KindRules, Storage } from '../storage/port/port.ts';
import type { Synchronous } from '../storage/sqlite/connection.ts';
import type { ThreadSupply } from '../workers/thread-supply.ts';
import type { AuditEvent } from './audit-log.ts';

export interface Environment {
  readonly logger: FastifyBaseLogger & RequestLogger;
  /** Writes the access log, if there is one. */
  readonly logAccess?: ((entry: AccessEntry) => void) | undefined;
  /** Writes the audit log, if there is one. */
  readonly logAudit?: ((event: AuditEvent) => void) | undefined;
  /** Returns the number of lines of each log that could not be written. */
  readonly countDroppedLines?: () => DroppedLines;
  readonly clock: () => number;
  /** The certificate of a server with TLS. */
  readonly certificate?: Certificate | undefined;
  /** The clock shared by all nodes of a database. Default: the clock of the database. */
  readonly sharedClock?: () => number;
  /** Resolves host names. Default: the resolver of the system. */
  readonly resolveHost?: ResolveHost;
  /** The file system; tests use one that fails. */
  readonly disk?: Disk;
  /** Wraps the storage; tests use it to inject failures. */
  readonly betweenStorage?: (storage: Storage) => Storage;
  /** Flushes the database log to disk. Default: fsync of the system. */
  readonly sync?: (descriptor: number) => Promise<void>;
  /** When SQLite flushes its files. Default: NORMAL; tests use OFF. */
  readonly synchronous?: Synchronous;
  /** Intervals of keep-alive messages and permission checks of event streams; for tests. */
  readonly eventTimes?: { readonly keepAliveMs: number; readonly rightsCheckMs: number };
  /** Timeouts and retry intervals of webhook deliveries; for tests. */
  readonly webhookTimes?: DeliveryTimes;
  /** How long documents wait for time extents; for tests. */
  readonly extentTimes?: ExtentTimes;
  /** How long features of vector tiles are read; for tests. */
  readonly tileReadingMs?: number;
  /** The scrypt cost of new keystores. Default: SCRYPT_COST, which takes longer than the rest of a start. */
  readonly scryptCost?: number;
  /** The cost of hashing the password of the built-in administrator at the start; for tests. */
  readonly administratorPasswordCost?: PasswordCost;
  /** Starts and ends worker threads. Default: new threads for each server. */
  readonly threads?: ThreadSupply;
  /** Additional route families and record kinds; for tests. */
  readonly further?: { readonly families: readonly RouteTable<Services>[]; readonly kinds: readonly KindRules[] };
  /** Called for every response of a route; for tests. */
  readonly observe?: (route: DocumentRoute<Services>, status: number) => void;
}
