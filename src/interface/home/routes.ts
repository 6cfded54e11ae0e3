/** Landing page for a browser that opens only the address of the server. */
import { ANYONE } from '../../http/auth/auth.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { html, page, text } from '../../http/serialization/html-page.ts';
import { family, getContent, type Services } from '../common/services.ts';

export interface HomeOptions {
  readonly contextPath: string;
  readonly hasConsole: boolean;
}

/**
 * Served at the root and at the context path. Without a console also at the administration path of other servers, which
 * otherwise redirects to the console.
 */
export function homeRoutes({ contextPath, hasConsole }: HomeOptions): RouteTable<Services> {
  const home = contextPath === '' ? '/' : contextPath;
  const paths = new Set(['/', home, ...(hasConsole ? [] : [`${contextPath}/web`])]);
  return family(
    'Home',
    { description: 'Landing page.', formats: [], formatGroup: 'contents' },
    [...paths].map((path) =>
      getContent(path, 'Read the landing page', { mediaType: 'text/html', role: ANYONE }, async ({ restUrl }) =>
        buildHomePage(restUrl, hasConsole),
      ),
    ),
  );
}

function buildHomePage(restUrl: string, hasConsole: boolean): string {
  const context = restUrl.replace(/\/rest$/, '');
  const buildLink = (url: string, label: string) => html`<a href="${text(url)}">${text(label)}</a>`;
  return page(
    { title: 'Graticule', crumbs: [], alternates: [] },
    html`<p>A geospatial server that is configured over REST.</p>
<ul class="items">
${hasConsole ? html`<li>${buildLink(`${context}/console/`, 'Console')}: manage layers, data and styles (sign-in required).</li>` : html``}
<li>${buildLink(`${context}/preview`, 'Preview')}: a map of every layer you can access.</li>
<li>${buildLink(`${context}/ogc/features/v1?f=html`, 'Features')}: public feature collections with maps; for programs as OGC API Features.</li>
<li>${buildLink(`${restUrl}.html`, 'Configuration')}: browse the configuration (sign-in required).</li>
<li>${buildLink(restUrl, restUrl)}: the REST API for programs.</li>
<li>${buildLink(`${restUrl}/openapi.json`, 'OpenAPI')}: every operation with its parameters, documents and errors.</li>
<li>${buildLink(`${context}/ows/openapi.json`, 'OpenAPI of services')}: WMS, WFS, WCS and tiles with their parameters.</li>
</ul>`,
  );
}
