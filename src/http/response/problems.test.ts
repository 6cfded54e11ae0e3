import { describe, expect, it } from 'vitest';
import { problem } from '../../lib/problems/problem.ts';
import { chooseErrorOffer, createErrorReply } from './problems.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('format of an error', () => {
  it.each([
    // The extension, Accept, the format of the body, and the format of the error.
    ['plain text by default', undefined, undefined, undefined, 'text/plain'],
    ['plain text for */*', undefined, '*/*', undefined, 'text/plain'],
    ['the format of the body for */*', undefined, '*/*', 'json', 'application/json'],
    ['the format of the body without Accept', undefined, undefined, 'xml', 'application/xml'],
    ['the format of the body if Accept names no supported format', undefined, 'image/png', 'json', 'application/json'],
    ['Accept before the body', undefined, 'application/json', 'xml', 'application/json'],
    ['the exact media type of Accept', undefined, 'text/xml', undefined, 'text/xml'],
    ['the exact media type of Accept', undefined, 'text/json', undefined, 'text/json'],
    ['plain text on request', undefined, 'text/plain', 'json', 'text/plain'],
    ['HTML for a browser', undefined, browser, undefined, 'text/html'],
    ['JSON for a page script', undefined, 'application/json, text/plain, */*', undefined, 'application/json'],
    ['the best by quality', undefined, 'application/xml;q=0.2, application/json;q=0.3', undefined, 'application/json'],
    ['not a rejected format', undefined, 'application/json;q=0', undefined, 'text/plain'],
    ['the extension before everything else', 'json', 'text/xml', 'xml', 'application/json'],
    ['the extension before everything else', 'html', 'application/json', 'xml', 'text/html'],
    ['problem+json on request', undefined, 'application/problem+json', 'xml', 'application/problem+json'],
    ['problem+json even before an extension', 'xml', 'application/problem+json', 'xml', 'application/problem+json'],
    [
      'problem+json among others',
      undefined,
      'text/xml, Application/Problem+JSON;q=0.1',
      undefined,
      'application/problem+json',
    ],
    ['no problem+json if it is rejected', undefined, 'application/problem+json;q=0, text/xml', undefined, 'text/xml'],
  ] as const)('is %s', (_case, extension, accept, bodyFormat, expected) => {
    const context = {
      style: 'negotiated',
      ...(extension === undefined ? {} : { extension }),
      ...(accept === undefined ? {} : { accept }),
      ...(bodyFormat === undefined ? {} : { bodyFormat }),
    } as const;

    expect(chooseErrorOffer(context).mediaType).toBe(expected);
  });

  it('falls back to XML for families with structured errors', () => {
    expect(chooseErrorOffer({ style: 'structured' }).mediaType).toBe('application/xml');
    expect(chooseErrorOffer({ style: 'structured', accept: '*/*' }).mediaType).toBe('application/xml');
    expect(chooseErrorOffer({ style: 'structured', accept: 'text/html' }).mediaType).toBe('application/xml');
    expect(chooseErrorOffer({ style: 'structured', extension: 'html' }).mediaType).toBe('text/html');
    expect(chooseErrorOffer({ style: 'structured', accept: '*/*', bodyFormat: 'json' }).mediaType).toBe(
      'application/json',
    );
  });
});

const HOME = 'http://host/rest.html';

function replyTo(
  ...[problem, status, offer]: Parameters<typeof createErrorReply> extends [...infer P, string] ? P : never
) {
  return createErrorReply(problem, status, offer, HOME);
}

describe('error response', () => {
  const unknown = problem('workspace-unknown', { name: '<b>&"\u0001' });

  it('is the message in plain text', () => {
    expect(replyTo(unknown, 404, { format: 'text', mediaType: 'text/plain' })).toEqual({
      contentType: 'text/plain; charset=utf-8',
      body: "No such workspace: '<b>&\"\u0001'.\n",
    });
  });

  it('has a status and a message in JSON', () => {
    expect(replyTo(unknown, 404, { format: 'json', mediaType: 'application/json' })).toEqual({
      contentType: 'application/json',
      body: '{"status":404,"message":"No such workspace: \'<b>&\\"\\u0001\'."}',
    });
  });

  it('has an escaped status and message in XML', () => {
    expect(replyTo(unknown, 404, { format: 'xml', mediaType: 'text/xml' })).toEqual({
      contentType: 'text/xml; charset=utf-8',
      body: `<ErrorResponse>
  <status>404</status>
  <message>No such workspace: '&lt;b&gt;&amp;"\ufffd'.</message>
</ErrorResponse>
`,
    });
  });

  it('is an escaped page in HTML', () => {
    const { contentType, body } = replyTo(unknown, 404, { format: 'html', mediaType: 'text/html' });

    expect(contentType).toBe('text/html; charset=utf-8');
    expect(body).toContain('<h1>404 Not Found</h1>');
    expect(body).toContain('No such workspace: &#39;&lt;b&gt;&amp;&quot;');
    expect(body).not.toContain('<b>');
    expect(body).toContain(`<a href="${HOME}">Go to the start page</a>`);
  });

  it('has a stable code in problem+json', () => {
    const { contentType, body } = replyTo(unknown, 404, {
      format: 'problem',
      mediaType: 'application/problem+json',
    });

    expect(contentType).toBe('application/problem+json');
    expect(JSON.parse(body)).toEqual({
      type: 'urn:graticule:problem:workspace-unknown',
      title: 'Not Found',
      status: 404,
      detail: "No such workspace: '<b>&\"\u0001'.",
      code: 'workspace-unknown',
    });
  });

  it('contains the field, all complaints and the blockers in problem+json', () => {
    const offer = { format: 'problem', mediaType: 'application/problem+json' } as const;
    const complaints = [{ field: 'workspace.name', message: 'is required' }];
    const invalid = problem('document-invalid', { complaints, field: 'workspace.name' });
    const blocked = problem('workspace-not-empty', { name: 'acme', blockers: ["dataStore 'roads'"], total: 1 });

    expect(JSON.parse(replyTo(invalid, 400, offer).body)).toMatchObject({
      code: 'document-invalid',
      detail: 'workspace.name: is required',
      field: 'workspace.name',
      errors: complaints,
    });
    expect(JSON.parse(replyTo(blocked, 403, offer).body)).toMatchObject({ blockers: ["dataStore 'roads'"] });
  });

  it('contains additional members in problem+json', () => {
    const further = problem('workspace-unknown', { name: 'acme', members: { oldest: 12 } });

    const { body } = replyTo(further, 404, { format: 'problem', mediaType: 'application/problem+json' });

    expect(JSON.parse(body)).toMatchObject({ code: 'workspace-unknown', oldest: 12 });
  });

  it('contains the status it is sent with, which a dialect can change', () => {
    const { body } = replyTo(unknown, 500, { format: 'json', mediaType: 'application/json' });

    expect(JSON.parse(body)).toMatchObject({ status: 500 });
  });
});
