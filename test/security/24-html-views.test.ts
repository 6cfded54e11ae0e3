/** Lesson 24: whatever a client put in, a page shows as text, and a browser is told to run nothing. */
import { describe, expect, it } from 'vitest';
import { everyRoute } from '../support/every-route.ts';
import { type Reply, useTestServer } from '../support/test-server.ts';

/** A name that breaks out of text, of attributes in either quote, and of a title or a style. */
const MARKUP = `"'><script>alert(1)<title><style><img src=x onerror=alert(2)>`;

/** Tags that load, run or send something; no page of ours has any. */
const livelyTags =
  /<\/?(?:script|img|image|iframe|frame|object|embed|applet|svg|math|base|link|form|input|button|video|audio|source|template|portal)\b/i;

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
  expect(policy).toContain("form-action 'none'");
  expect(policy).not.toMatch(/unsafe|\*|script-src/);
  expect(reply.text).not.toMatch(livelyTags);
  expect(reply.text).not.toMatch(/<[^>]*\s(?:on\w+|style|srcdoc)\s*=/i);
  expect(reply.text).not.toMatch(/(?:href|src)\s*=\s*["']?\s*(?:javascript|data|vbscript):/i);
}

describe('lesson 24: a page', () => {
  const server = useTestServer();
  const encoded = encodeURIComponent(MARKUP);

  it('of a workspace shows its name and its metadata as text', async () => {
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

  it('of a namespace shows its URI as text', async () => {
    const body = { namespace: { prefix: 'evil', uri: `javascript:alert(1)//${MARKUP}` } };
    expect((await server.post('/namespaces', JSON.stringify(body))).status).toBe(201);

    expectHarmless(await server.get('/namespaces/evil.html'));
  });

  it('of every address is harmless, whether something is there or not', async () => {
    const pages = everyRoute().filter(({ method, route }) => method === 'GET' && route.formats.includes('html'));

    for (const { path, route } of pages) {
      // Some families answer errors to whoever only accepts pages in XML; an extension always means a page.
      // Paths of files keep theirs.
      const reply = await server.get(`${path(MARKUP)}${route.endsInFileName ? '?format=html' : '.html'}`);
      if (route.answers !== undefined) {
        expect([route.path, reply.status < 500]).toEqual([route.path, true]);
        expectHarmless(reply);
      }
    }
  });

  it.each([
    ['an unknown name', 'GET', `/workspaces/${encoded}x.html`, 404],
    ['an unknown path', 'GET', `/${encoded}`, 404],
    ['a wrong parameter', 'DELETE', `/workspaces/evil.html?recurse=${encoded}`, 400],
    ['a wrong document', 'POST', '/workspaces.html', 400],
    ['a name that is taken', 'POST', '/workspaces', 409],
    ['a wrong method', 'PATCH', `/workspaces/${encoded}.html`, 405],
  ])('that tells of %s shows it as text', async (_case, method, path, status) => {
    const name = JSON.stringify({ workspace: { name: MARKUP } });
    const body = status === 409 ? name : JSON.stringify({ [MARKUP]: { name: MARKUP } });

    const reply = await server.request(method, path, { accept: 'text/html', type: 'json', body });

    expect(reply.status).toBe(status);
    expectHarmless(reply);
  });

  it('is never asked to be one by anything but a page', async () => {
    for (const path of [`/workspaces/${encoded}.xml`, `/workspaces/${encoded}.json`, '/workspaces/nowhere']) {
      const { headers } = await server.get(path);

      expect(headers['content-type']).not.toContain('html');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('asks strangers for credentials just as harmlessly', async () => {
    const reply = await server.get(`/workspaces/${encoded}.html`, { as: null });

    expect(reply.status).toBe(401);
    expect(reply.text).not.toContain('alert');
    expectHarmless(reply);
  });
});
