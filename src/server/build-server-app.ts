/** Builds the HTTP application of a server: all routes, and the limits and habits of requests. */
import { join } from 'node:path';
import type { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { ActiveSettings } from '../catalog/settings/active-settings.ts';
import { buildApp } from '../http/app.ts';
import type { ClientLimits } from '../http/request/client-limits.ts';
import type { RouteTable, ServiceTable } from '../http/routes/route.ts';
import type { Sessions } from '../http/session/session.ts';
import type { Certificate } from '../http/tls/secure-connections.ts';
import type { Dialect } from '../interface/common/dialects.ts';
import type { Services } from '../interface/common/services.ts';
import { consoleRoutes } from '../interface/console/routes.ts';
import { faviconRoutes } from '../interface/favicon/routes.ts';
import { healthPaths, healthRoutes } from '../interface/health/routes.ts';
import { homeRoutes } from '../interface/home/routes.ts';
import { metricsRoutes } from '../interface/metrics/routes.ts';
import { createRouteFamilies } from '../interface/route-families.ts';
import type { Operations } from '../operations/operations.ts';
import { createPreviews } from '../security/previews/create-preview.ts';
import { classificationRoutes } from '../services/classification/routes.ts';
import { gwcRestRoutes } from '../services/gwc/rest/routes.ts';
import { gwcRoutes } from '../services/gwc/routes.ts';
import { ogcFeaturesRoutes } from '../services/ogc-api/features/routes.ts';
import { ogcMapsRoutes } from '../services/ogc-api/maps/routes.ts';
import { ogcStylesRoutes } from '../services/ogc-api/styles/routes.ts';
import { ogcTilesRoutes } from '../services/ogc-api/tiles/routes.ts';
import { servicesOpenApiRoutes } from '../services/openapi-routes.ts';
import { previewRoutes } from '../services/preview/routes.ts';
import { type OwsEnvironment, owsRoutes, wcsRoutes, wmsRoutes } from '../services/routes.ts';
import { runForClient } from '../workers/request-scope.ts';
import { CertificateReloader } from './certificate.ts';
import type { Foundation, ServerParts } from './foundation.ts';
import type { openLogin } from './open-login.ts';
import { limits } from './settings/limits.ts';
import { readVersion } from './settings/version.ts';
import { openStoredReplies } from './storage/stored-replies.ts';

export interface ServerAppOptions {
  readonly parts: ServerParts;
  readonly foundation: Foundation;
  readonly sessions: Sessions<Services>;
  readonly operations: Operations;
  readonly login: Awaited<ReturnType<typeof openLogin>>;
  readonly inForce: ActiveSettings;
  readonly clientLimits: ClientLimits | undefined;
}

export function buildServerApp(options: ServerAppOptions): FastifyInstance {
  const { sessions, operations, login, inForce, clientLimits } = options;
  const { storage, files, room, settings, world, restRoot } = options.parts;
  const { dialect, keystore } = options.foundation;
  const app = buildApp<Services>({
    families: [...createRouteFamilies(dialect, readVersion()), ...(world.further?.families ?? [])],
    outside: createOutsideRoutes(options.parts, dialect),
    sessions,
    restRoot,
    // Clients of GeoWebCache manage grid sets and tile settings at other paths, where lists of names have their own format.
    secondPaths: new Map([
      [`${settings.contextPath}/gwc/rest/gridsets/:gridSet`, `${restRoot}/gridsets/:gridSet`],
      [`${settings.contextPath}/gwc/rest/layers/:tileLayer`, `${restRoot}/tilelayers/:tileLayer`],
    ]),
    dialect,
    limits: {
      maxDepth: limits.maxDepth,
      maxNodes: limits.maxNodes,
      maxDocumentBytes: settings.maxDocumentBytes,
      maxUploadBytes: limits.maxUploadBytes,
      requestTimeoutMs: settings.requestTimeoutMs,
      sendTimeoutMs: limits.sendTimeoutMs,
      rightsCheckMs: world.eventTimes?.rightsCheckMs ?? limits.rightsCheckMs,
    },
    origin: {
      proxies: settings.trustedProxies,
      links: inForce.links,
      ...(settings.publicUrl === undefined ? {} : { publicUrl: settings.publicUrl }),
    },
    cors: settings.corsOrigins,
    runForClient,
    clientLimits: clientLimits && { limits: clientLimits, exemptPaths: healthPaths },
    authenticate: login.authenticate,
    createPreview: createPreviews(options.foundation),
    authenticateAgain: login.authenticateAgain,
    replies: openStoredReplies(storage, keystore.sealer, world.clock),
    room,
    clock: world.clock,
    createSpoolFile: async () => {
      const { path, discard } = await files.createStaging('body');
      return { file: join(path, 'body'), discard };
    },
    certificate: world.certificate,
    logger: world.logger,
    logAccess: world.logAccess,
    logAudit: world.logAudit,
    ...(world.observe === undefined ? {} : { observe: world.observe }),
    metrics: operations.requests,
  });
  if (world.certificate !== undefined) reloadCertificate(app, options.parts, world.certificate);
  return app;
}

function reloadCertificate(app: FastifyInstance, { settings, world }: ServerParts, current: Certificate): void {
  const server = app.server as FastifyInstance['server'] & Pick<TlsServer, 'setSecureContext'>;
  const reloader = new CertificateReloader({ settings, current, server, logger: world.logger, clock: world.clock });
  const stop = reloader.start(limits.certificateCheckMs);
  app.addHook('onClose', async () => stop());
}

/** The routes beside the REST interface: services, pages, health and metrics. */
function createOutsideRoutes(
  { storage, settings, world, isDraining, restRoot }: ServerParts,
  { errorBodies, quotaRoot }: Dialect,
): readonly (RouteTable<Services> | ServiceTable<Services>)[] {
  const { contextPath } = settings;
  const ows: OwsEnvironment = { contextPath, limits, now: () => new Date(world.clock()) };
  const ogcServices = [
    gwcRoutes(ows),
    owsRoutes(ows),
    wmsRoutes(ows),
    wcsRoutes(ows),
    classificationRoutes({ restRoot }),
  ];
  return [
    healthRoutes({ isDraining, isWritable: () => storage.isWritable() }),
    metricsRoutes(settings.openMetrics ? 'anyone' : 'administrators'),
    homeRoutes({ contextPath, hasConsole: !settings.noConsole }),
    ...(settings.noConsole ? [] : [consoleRoutes({ contextPath, dataDir: settings.dataDir })]),
    ogcFeaturesRoutes({ contextPath, clock: world.clock, extentTimes: world.extentTimes ?? limits.extents }),
    ogcTilesRoutes(ows),
    ogcMapsRoutes(ows),
    ogcStylesRoutes(ows),
    ...ogcServices,
    servicesOpenApiRoutes(ogcServices, { contextPath, version: readVersion() }),
    gwcRestRoutes({ ...ows, errorBodies, quotaRoot }),
    previewRoutes({ contextPath }),
    faviconRoutes(),
  ];
}
