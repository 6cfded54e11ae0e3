/** Facts about the target that a translation depends on. */
import type { ServerClient, Task } from '../../client/command.ts';

export interface TargetFacts {
  /** The path of all services, such as `/geoserver`; undefined if it is unknown. */
  readonly contextPath: string | undefined;
  /** The expressions of the enabled URL checks. */
  readonly urlChecks: readonly string[];
}

interface ListedCheck {
  readonly fields?: { readonly enabled?: unknown; readonly regex?: unknown };
}

export async function readTargetFacts(server: ServerClient, { text, world }: Task): Promise<TargetFacts> {
  const reply = await server.send({ path: '/configuration', query: [['kind', 'urlCheck']] });
  const { resources } = JSON.parse(await reply.text()) as { readonly resources?: readonly ListedCheck[] };
  const urlChecks = (resources ?? []).flatMap(({ fields: { enabled, regex } = {} }) =>
    enabled === true && typeof regex === 'string' ? [regex] : [],
  );
  const url = URL.parse(text('url') ?? world.environment['GRATICULE_URL'] ?? '');
  const path = url?.pathname.replace(/\/rest\/*$/, '');
  return { contextPath: path === undefined ? world.environment['GRATICULE_CONTEXT_PATH'] : path, urlChecks };
}
