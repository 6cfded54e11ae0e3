/** What a server is given by the machine it runs on; tests give something else. */
import type { FastifyBaseLogger } from 'fastify';
import type { DeliveryTimes } from '../catalog/webhooks/deliver-events.ts';
import type { ResolveHost } from '../gates/url-gate.ts';
import type { RequestLogger } from '../http/context/app-options.ts';
import type { Route, RouteTable } from '../http/routes/route.ts';
import type { Services } from '../interface/common/services.ts';
import type { ExtentTimes } from '../services/ogc-api/features/collections/features-context.ts';
import type { Disk } from '../storage/blobs/disk.ts';
import type { KindRules, Storage } from '../storage/port/port.ts';

export interface Environment {
  readonly logger: FastifyBaseLogger & RequestLogger;
  readonly clock: () => number;
  /** The time that all nodes of a database agree on; that of the database, unless a test knows better. */
  readonly sharedClock?: () => number;
  /** Host names to addresses; as the machine does it, unless a test knows better. */
  readonly resolveHost?: ResolveHost;
  /** Where files are kept; one that fails, in tests. */
  readonly disk?: Disk;
  /** Stands between the server and its storage; one that fails, in tests. */
  readonly betweenStorage?: (storage: Storage) => Storage;
  /** Waits until the log of the database is on the disk; as the machine does it, unless a test knows better. */
  readonly sync?: (descriptor: number) => Promise<void>;
  /** How often streams of events hear a word, and their users' rights are looked at; for tests. */
  readonly eventTimes?: { readonly keepAliveMs: number; readonly rightsCheckMs: number };
  /** How soon deliveries to webhooks are given up and tried again; for tests. */
  readonly webhookTimes?: DeliveryTimes;
  /** How long documents wait for what data tells of its times; for tests. */
  readonly extentTimes?: ExtentTimes;
  /** Families and kinds of records beside ours; for tests. */
  readonly further?: { readonly families: readonly RouteTable<Services>[]; readonly kinds: readonly KindRules[] };
  /** Told of every reply of a route; for tests. */
  readonly observe?: (route: Route<Services>, status: number) => void;
}
