/** Lesson 24: pages show client input as text, and their headers forbid browsers to run scripts. */
import { describe, expect, it } from 'vitest';
import { findReturned } from '../../src/http/routes/route.ts';
import { everyRoute } from '../support/every-route.ts';
import { type Reply, useTestServer } from '../support/test-server.ts';

/** A name that would end a text, an attribute in either quote, a title or a style. */
const MARKUP = `"'><script>alert(1)<title><style><img src=x onerror=alert(2)>`;

/** Tags that load, run or send something; the pages of the server contain none of them. */
const livelyTags =
  /<\/?(?:script|img|image|iframe|frame|object|embed|applet|svg|math|base|link|form|input|button|video|audio|source|template|portal)\b/i;

/** The form of a search, which is sent to the server itself. */
const searchForm =
  /<form method="get" action="http:\/\/localhost:80\/geoserver\/rest\/[^"]*" role="search">.*?<\/form>/;

function expectHarmless(reply: Reply): void {
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(reply.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  });
  const policy = reply.headers['content-security-policy'] ?? '';
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain(`form-action '${searchForm.test(reply.text) ? 'self' : 'none'}'`);
  expect(policy).not.toMatch(/unsafe|\*|script-src/);
  expect(reply.text.replace(searchForm, '')).not.toMatch(livelyTags);
  expect(reply.text).not.toMatch(/<[^>]*\s(?:on\w+|style|srcdoc)\s*=/i);
  expect(reply.text).not.toMatch(/(?:href|src)\s*=\s*["']?\s*(?:javascript|data|vbscript):/i);
}

describe('lesson 24: HTML pages', () => {
  const server = useTestServer();
  const encoded = encodeURIComponent(MARKUP);

  it('shows the name and the metadata of a workspace as text', async () => {
    const body = { workspace: { name: MARKUP, metadata: { [MARKUP]: `</td>${MARKUP}` } } };
    expect((await server.post('/workspaces?default=true', JSON.stringify(body))).status).toBe(201);
    const escaped = '&quot;&#39;&gt;&lt;script&gt;alert(1)';

    for (const path of ['/workspaces', `/workspaces/${encoded}`, '/workspaces/default', `/namespaces/${encoded}`]) {
      const reply = await server.get(`${path}.html`);

      expect(reply.status).toBe(200);
      expect(reply.text).toContain(escaped);
      expectHarmless(reply);
    }
  });

  it('shows the URI of a namespace as text', async () => {
    const body = { namespace: { prefix: 'evil', uri: `javascript:alert(1)//${MARKUP}` } };
    expect((await server.post('/namespaces', JSON.stringify(body))).status).toBe(201);

    expectHarmless(await server.get('/namespaces/evil.html'));
  });

  it('serves no active content at any address, whether the resource exists or not', async () => {
    const pages = everyRoute().filter(({ method, route }) => method === 'GET' && route.formats.includes('html'));

    for (const { path, route } of pages) {
      // With Accept alone, some routes return errors as XML; the extension always selects a page. File paths use the
      // query parameter because they have an extension of their own.
      const reply = await server.get(`${path(MARKUP)}${route.endsInFileName ? '?format=html' : '.html'}`);
      if (findReturned(route) !== undefined) {
        expect([route.path, reply.status < 500]).toEqual([route.path, true]);
        expectHarmless(reply);
      }
    }
  });

  it.each([
    ['an unknown name', 'GET', `/workspaces/${encoded}x.html`, 404],
    ['an unknown path', 'GET', `/${encoded}`, 404],
    ['an invalid parameter', 'DELETE', `/workspaces/evil.html?recurse=${encoded}`, 400],
    ['an invalid document', 'POST', '/workspaces.html', 400],
    ['a name that is already in use', 'POST', '/workspaces', 409],
    ['an unsupported method', 'PATCH', `/workspaces/${encoded}.html`, 405],
  ])('shows client input as text in the error for %s', async (_case, method, path, status) => {
    const name = JSON.stringify({ workspace: { name: MARKUP } });
    const body = status === 409 ? name : JSON.stringify({ [MARKUP]: { name: MARKUP } });

    const reply = await server.request(method, path, { accept: 'text/html', type: 'json', body });

    expect(reply.status).toBe(status);
    expectHarmless(reply);
  });

  it('serves XML and JSON with their own content types and nosniff', async () => {
    for (const path of [`/workspaces/${encoded}.xml`, `/workspaces/${encoded}.json`, '/workspaces/nowhere']) {
      const { headers } = await server.get(path);

      expect(headers['content-type']).not.toContain('html');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('requires credentials from anonymous clients without serving active content', async () => {
    const reply = await server.get(`/workspaces/${encoded}.html`, { as: null });

    expect(reply.status).toBe(401);
    expect(reply.text).not.toContain('alert');
    expectHarmless(reply);
  });
});
