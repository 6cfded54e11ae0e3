/** Where a browser lands that was given no more than the address of the server: a page that says where things are. */
import { ANYONE } from '../../http/auth/authorization.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { html, page, text } from '../../http/serialization/html-page.ts';
import { family, getText, type Services } from '../common/services.ts';

/** At the root, at the context path, and where others have their administration. */
export function homeRoutes(contextPath: string): RouteTable<Services> {
  const paths = new Set(['/', contextPath === '' ? '/' : contextPath, `${contextPath}/web`]);
  return family(
    'Home',
    { description: 'Where to go from here.', formats: [], formatGroup: 'contents' },
    [...paths].map((path) =>
      getText(
        path,
        'A page that says where things are',
        { mediaType: 'text/html', role: ANYONE },
        async ({ restUrl }) => buildHomePage(restUrl),
      ),
    ),
  );
}

function buildHomePage(restUrl: string): string {
  const context = restUrl.replace(/\/rest$/, '');
  const buildLink = (url: string, label: string) => html`<a href="${text(url)}">${text(label)}</a>`;
  return page(
    { title: 'Graticule', crumbs: [], alternates: [] },
    html`<p>A geospatial server that is configured over REST.</p>
<ul class="items">
<li>${buildLink(`${context}/preview`, 'Preview')}: maps of all that you may see.</li>
<li>${buildLink(`${context}/ogc/features/v1?f=html`, 'Features')}: what is published for everybody, with maps; for programs as OGC API Features.</li>
<li>${buildLink(`${restUrl}.html`, 'Look around')}: all that is configured, as pages. They ask for a user and a password.</li>
<li>${buildLink(restUrl, restUrl)}: the same for programs.</li>
<li>${buildLink(`${restUrl}/openapi.json`, 'OpenAPI')}: every operation, with its parameters, documents and errors.</li>
</ul>`,
  );
}
