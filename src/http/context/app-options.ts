/** The options of the application, and the context of a request. */
import type { FastifyBaseLogger } from 'fastify';
import type { Credentials } from '../../lib/identity/credentials.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import type { Span } from '../../lib/measure/tracer.ts';
import type { Problem } from '../../lib/problems/problem.ts';
import type { Authenticate } from '../auth/auth.ts';
import type { CorsOrigins } from '../auth/cors.ts';
import type { SentCredentials } from '../auth/credentials.ts';
import type { BodyLimits } from '../body/body.ts';
import type { UploadLimits } from '../body/uploads.ts';
import type { WireDialect } from '../negotiate/wire-dialect.ts';
import type { ClientLimits, ReleaseRequest } from '../request/client-limits.ts';
import type { Origin, OriginSettings } from '../request/request-head.ts';
import type { UnknownNames } from '../request/unknown-names.ts';
import type { DocumentRoute, Route, RouteTable, ServiceTable } from '../routes/route.ts';
import type { Match, Router } from '../routes/router.ts';
import type { ServiceOperation } from '../session/service-reply.ts';
import type { Session, Sessions, StoredReply } from '../session/session.ts';
import type { Certificate } from '../tls/secure-connections.ts';

export interface AppOptions<S> {
  /** Their paths are below `restRoot`. */
  readonly families: readonly RouteTable<S>[];
  /** Their paths are absolute: health, metrics and services. */
  readonly outside: readonly (RouteTable<S> | ServiceTable<S>)[];
  /** Opens the session of each request. */
  readonly sessions: Sessions<S>;
  /** For example `/geoserver/rest`. */
  readonly restRoot: string;
  /** Further patterns of resources, with the patterns of their routes. Both are absolute. */
  readonly secondPaths?: ReadonlyMap<string, string>;
  readonly dialect: WireDialect;
  readonly limits: BodyLimits &
    UploadLimits & {
      readonly requestTimeoutMs: number;
      /** How long a client can stall while it reads a response. */
      readonly sendTimeoutMs: number;
      /** How often the permissions of event streams are checked. */
      readonly rightsCheckMs: number;
    };
  /** With a certificate, the server accepts only TLS. */
  readonly certificate?: Certificate | undefined;
  readonly origin: OriginSettings;
  /** The origins whose pages can read public responses of services. */
  readonly cors: CorsOrigins;
  /** Runs the work of a request on behalf of its client, so that threads are shared fairly. */
  readonly runForClient?: <T>(client: string, work: () => T) => T;
  /** Limits for each client address; undefined for none. */
  readonly clientLimits?:
    | {
        readonly limits: Pick<ClientLimits, 'admit'>;
        /** Paths that are never limited, such as health checks. */
        readonly exemptPaths: ReadonlySet<string>;
      }
    | undefined;
  readonly authenticate: Authenticate;
  /** Returns what an administrator previews as another principal. */
  readonly createPreview: (viewer: Principal, as: string) => Promise<Principal>;
  /** Authenticates valid credentials again with the users, roles and passwords of a transaction. */
  readonly authenticateAgain: (
    services: S,
    principal: Principal,
    credentials: Credentials,
  ) => Promise<Principal | undefined>;
  /** Responses stored under idempotency keys. */
  readonly replies: {
    find(who: string, key: string): Promise<Pick<StoredReply, 'request' | 'reply'> | undefined>;
  };
  /** Checks the free disk space. */
  readonly room: DiskRoom;
  readonly clock: () => number;
  /** Creates files for large bodies that may be read again. */
  readonly createSpoolFile: CreateSpoolFile;
  readonly logger: FastifyBaseLogger & RequestLogger;
  /** Called for every response of a family; tests compare it with the declared statuses. */
  readonly observe?: (route: DocumentRoute<S>, status: number) => void;
  /** Called after every response, for the access log. */
  readonly logAccess?: ((entry: AccessEntry) => void) | undefined;
  /** Called after denied requests, previews and changes, for the audit log. */
  readonly logAudit?: ((entry: AuditEntry) => void) | undefined;
  /** Counts every response. */
  readonly metrics?: { start(): void; count(request: FinishedRequest): void };
}

export interface DiskRoom {
  /** Call it before a deletion: releases the reserve if the disk is full. */
  prepareDeletion(): Promise<void>;
  /** Call it before storing: throws while the disk is full. Undefined if no check is necessary. */
  checkStoring(): Promise<void> | undefined;
}

/** Creates a location for one file. */
export type CreateSpoolFile = () => Promise<{ readonly file: string; discard(): Promise<void> }>;

/** The options plus the state of the running application. */
export interface AppContext<S> extends AppOptions<S> {
  /** Whether the server is closing and finishes its last responses. */
  readonly isDraining: () => boolean;
  readonly router: Router<S>;
  /** The idempotency keys of requests in progress. */
  readonly keysUnderWay: Set<string>;
}

/** The fields of the log line of a request. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly user: string;
  /** The address of the client. */
  readonly client: string;
  /** The operation of a service and its layers, as the client wrote them. */
  readonly operation?: string;
  readonly layers?: string;
  /** Why it was rejected, as the client sees it, without secrets. */
  readonly code?: string;
  readonly reason?: string;
  readonly note?: string;
  /** If traces are enabled. */
  readonly traceId?: string;
  readonly spanId?: string;
  /** What an administrator previewed, such as `role=EDITOR`. */
  readonly viewAs?: string;
}

/** The fields of a line in the access log. */
export interface AccessEntry extends Pick<LoggedRequest, 'method' | 'status' | 'ms' | 'user' | 'client'> {
  /** Path and query as sent. */
  readonly target: string;
  readonly httpVersion: string;
  /** Bytes sent, including headers. */
  readonly bytes: number;
  readonly referrer: string;
  readonly agent: string;
}

/** A request that was denied, that made a change, or that previewed what others see. */
export type AuditEntry = Pick<LoggedRequest, 'requestId' | 'method' | 'path' | 'status' | 'user' | 'viewAs'> & {
  readonly address: string;
} & (
    | { readonly event: 'denied'; readonly reason: string }
    /** The number of the change in the history. */
    | { readonly event: 'change'; readonly change: number }
    | { readonly event: 'view-as' }
  );

export interface RequestLogger {
  readonly logRequest: (request: LoggedRequest) => void;
}

export interface FinishedRequest {
  /** The path pattern, such as `/geoserver/rest/workspaces/:workspace`; undefined for an unknown path. */
  readonly pattern: string | undefined;
  readonly method: string;
  /** Names of the code, never of the client; undefined for an unknown path. */
  readonly service: string | undefined;
  readonly operation: string | undefined;
  readonly status: number;
  readonly durationMs: number;
}

/** The state of a request, filled in step by step; the log line and error responses read it. */
export interface RequestContext<S> {
  /** On the monotonic clock. */
  readonly startedAtMs: number;
  match?: Match<S>;
  route?: Route<S>;
  /** Not read for public routes. */
  credentials?: SentCredentials;
  /** The API token in the URL. Links in the response carry it. */
  queryKey?: string;
  principal?: Principal;
  origin?: Origin;
  /** Ends the request for the limits of its client. */
  releaseClient?: ReleaseRequest;
  session?: Session<S>;
  /** Changes are discarded. */
  isDryRun?: boolean;
  /** Unknown fields and query parameters of the request. */
  unknown?: UnknownNames | undefined;
  /** Unknown names are errors. */
  isStrict?: boolean;
  /** What the client requests from a service. */
  operation?: ServiceOperation;
  /** The operation that the response of a service determines. */
  answeredOperation?: string;
  /** Why it was rejected or failed. */
  problem?: Problem;
  /** The number of the change of a transaction. */
  change?: number | undefined;
  /** For the access log: the bytes that the connection had sent before this request. */
  sentBefore?: number;
  /** If traces are enabled. */
  span?: Span | undefined;
  /** The request has been logged and counted. */
  isFinished?: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext<unknown>;
  }
}
