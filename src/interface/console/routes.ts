/** Serves the web console, a client of the REST interface. The same page answers every address of the console. */
import { join } from 'node:path';
import { ANYONE } from '../../http/auth/auth.ts';
import { createServiceRouteBuilders } from '../../http/route-table/service-route.ts';
import type { ServiceTable } from '../../http/routes/route.ts';
import { html, page, text } from '../../http/serialization/html-page.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Services } from '../common/services.ts';
import { ConsoleFiles } from './console-files.ts';

const { answer, service } = createServiceRouteBuilders<Services>();

/** Scripts and styles come from this server only, and no script can turn text into markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const guards = { 'content-security-policy': policy, 'cross-origin-opener-policy': 'same-origin' };

/** Names of assets contain a hash of their content. */
const forever = { 'cache-control': 'public, max-age=31536000, immutable' };

const HTML = 'text/html; charset=utf-8';

export interface ConsoleEnvironment {
  readonly contextPath: string;
  readonly dataDir: string;
}

export function consoleRoutes({ contextPath, dataDir }: ConsoleEnvironment): ServiceTable<Services> {
  const files = new ConsoleFiles(join(dataDir, 'console'));
  const root = `${contextPath}/console`;
  const rows = [
    answer('GET', root, 'Returns the console', (call) => answerPage(files, root, call.path)),
    answer('GET', `${root}/assets/:asset`, 'Returns a script or style sheet of the console', (call) =>
      answerAsset(files, call.params.asset),
    ),
    answer('GET', `${root}/*page`, 'Returns the console', (call) => answerPage(files, root, call.path)),
    answer('GET', `${contextPath}/web`, 'Redirects to the console', ({ baseUrl }) => ({
      status: 302,
      contentType: HTML,
      headers: { location: `${baseUrl}${root}/` },
      body: '',
    })),
  ];
  return service(
    'Console',
    {
      description: 'The web console.',
      explain: ({ status, message }) => ({
        status,
        contentType: HTML,
        body: page({ title: 'Console', crumbs: [], alternates: [] }, html`<p>${text(message)}</p>`),
      }),
    },
    rows.map((row) => ({ ...row, role: ANYONE, access: 'none' as const })),
  );
}

async function answerPage(files: ConsoleFiles, root: string, path: string): Promise<ServiceReply> {
  const build = await files.load().catch((error: unknown) => {
    throw problem('console-unavailable', { reason: error instanceof Error ? error.message : String(error) });
  });
  return {
    contentType: HTML,
    headers: { ...guards, 'cache-control': 'no-cache' },
    body: build.page.replaceAll('%root%', findWayToRoot(root, path)),
  };
}

async function answerAsset(files: ConsoleFiles, name: string): Promise<ServiceReply> {
  const asset = await (await files.loadLast()).readAsset(name);
  if (asset === undefined) throw problem('service-path-unknown', {});
  const { contentType, bytes, packed } = asset;
  return { contentType, headers: { ...guards, ...forever }, body: bytes, ...(packed === undefined ? {} : { packed }) };
}

/** Returns a relative path, because a proxy may have removed a prefix: `../` for each segment below the root. */
function findWayToRoot(root: string, path: string): string {
  const depth = path.split('/').length - root.split('/').length - 1;
  return depth < 0 ? `${root.slice(root.lastIndexOf('/') + 1)}/` : '../'.repeat(depth);
}
