/** What the app is built from, and what is noted of each request on its way. */
import type { FastifyBaseLogger } from 'fastify';
import type { Principal } from '../../lib/identity/principal.ts';
import type { Problem } from '../../lib/problems/problem.ts';
import type { Authenticate, Credentials } from '../auth/authentication.ts';
import type { Authorize } from '../auth/authorization.ts';
import type { CorsOrigins } from '../auth/cors.ts';
import type { BodyLimits } from '../body/body.ts';
import type { UploadLimits } from '../body/uploads.ts';
import type { WireDialect } from '../negotiate/wire-dialect.ts';
import type { Origin, OriginSettings } from '../request/origin.ts';
import type { UnknownNames } from '../request/unknown-names.ts';
import type { Route, RouteTable } from '../routes/route.ts';
import type { Match, Router } from '../routes/router.ts';
import type { Session, Sessions, StoredReply } from '../session/session.ts';

export interface AppOptions<S> {
  /** Paths of these families are below `restRoot`. */
  readonly families: readonly RouteTable<S>[];
  /** Paths of these are as they are written: health and the like. */
  readonly outside: readonly RouteTable<S>[];
  /** What each request works with. */
  readonly sessions: Sessions<S>;
  /** For example `/geoserver/rest`. */
  readonly restRoot: string;
  readonly dialect: WireDialect;
  readonly limits: BodyLimits &
    UploadLimits & {
      readonly requestTimeoutMs: number;
      /** How long a client may take nothing of its reply. */
      readonly sendTimeoutMs: number;
      /** How often it is looked whether a client that goes on listening still may. */
      readonly rightsCheckMs: number;
    };
  readonly origin: OriginSettings;
  /** The sites whose pages may read what services give to anybody. */
  readonly cors: CorsOrigins;
  /** Does the work of a request in the name of its client, so that threads are shared fairly. */
  readonly runForClient?: (client: string, work: () => Promise<void>) => Promise<void>;
  readonly authenticate: Authenticate;
  /** Somebody as the users, roles and passwords of a draft have them, whose credentials were good before it. */
  readonly authenticateAgain: (
    services: S,
    principal: Principal,
    credentials: Credentials,
  ) => Promise<Principal | undefined>;
  /** The replies that were kept under the keys of users, for as long as they are. */
  readonly replies: {
    find(who: string, key: string): Promise<Pick<StoredReply, 'request' | 'reply'> | undefined>;
  };
  /** What the disk has room for. */
  readonly room: DiskRoom;
  /** Where large bodies are kept that may have to be read again. */
  readonly createSpoolFile: CreateSpoolFile;
  /** Decides by what the request itself works with: what is asked about and what is shown must be the same. */
  readonly authorize: (services: S) => Authorize;
  readonly logger: FastifyBaseLogger & RequestLogger;
  /** Told of every reply of a route, so that tests can hold it against what the route declares. */
  readonly observe?: (route: Route<S>, status: number) => void;
  /** Told of every reply once it is sent, for whoever counts. */
  readonly onFinished?: (request: FinishedRequest) => void;
}

export interface DiskRoom {
  /** Before anything is deleted: makes sure that there is room for what that writes. */
  prepareDeletion(): Promise<void>;
  /** Before anything is stored: fails while room is kept for deletions. Undefined means go on. */
  checkStoring(): Promise<void> | undefined;
}

/** Makes a place for one file. */
export type CreateSpoolFile = () => Promise<{ readonly file: string; discard(): Promise<void> }>;

/** The same for those who answer requests, with what changes while the app runs. */
export interface AppContext<S> extends AppOptions<S> {
  /** Whether the server is about to end and waits for its last replies. */
  readonly isDraining: () => boolean;
  readonly router: Router<S>;
  /** The keys of requests that are being carried out. */
  readonly keysUnderWay: Set<string>;
}

/** The line of the log that each request ends with. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly user: string;
  /** Why it was refused, as clients see it, without what is not for a log. */
  readonly code?: string;
  readonly reason?: string;
  readonly note?: string;
}

export interface RequestLogger {
  readonly logRequest: (request: LoggedRequest) => void;
}

export interface FinishedRequest {
  /** The pattern of the path, such as `/geoserver/rest/workspaces/:workspace`; undefined when nothing is served there. */
  readonly pattern: string | undefined;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

/** What is known of a request so far; filled in step by step, read by the log line and the error reply. */
export interface RequestContext<S> {
  /** By the clock that only goes forward. */
  readonly startedAtMs: number;
  match?: Match<S>;
  route?: Route<S>;
  principal?: Principal;
  origin?: Origin;
  session?: Session<S>;
  /** Nothing of it will be kept. */
  isDryRun?: boolean;
  /** The fields and query parameters it was sent that are none. */
  unknown?: UnknownNames | undefined;
  /** What is not known shall be refused. */
  isStrict?: boolean;
  /** Why it was refused or failed. */
  problem?: Problem;
  /** The request has been logged and counted. */
  isFinished?: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    trail: RequestContext<unknown>;
  }
}
