/** Requests to servers that answer with errors, redirects, exceptions, too much or nothing. */
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startRemoteServer } from '../../../../test/support/remote-server.ts';
import { createComparedServer } from './compared-server.ts';

async function ask(answer: RequestListener, maxBytes?: number, timeoutMs?: number) {
  const remote = await startRemoteServer(answer);
  const url = new URL(`http://127.0.0.1:${remote.port}/geoserver`);
  const server = createComparedServer({ url, login: { user: 'anna', password: 'secret' } }, timeoutMs);
  const reading = await server.get('/wms', { request: 'GetMap', layers: 'a:b' }, maxBytes);
  return { reading, remote };
}

const reply = (status: number, type: string, body: string) => (_: unknown, response: ServerResponse) => {
  response.writeHead(status, { 'content-type': type }).end(body);
};

describe('compared server', () => {
  it('sends a GET request with credentials', async () => {
    const { reading, remote } = await ask(reply(200, 'image/png', 'x'));

    expect(reading).toEqual({ value: { type: 'image/png', bytes: Buffer.from('x') } });
    expect(remote.asked).toEqual([`GET 127.0.0.1:${remote.port} /geoserver/wms?request=GetMap&layers=a%3Ab`]);
    expect(remote.headers[0]?.authorization).toBe(`Basic ${Buffer.from('anna:secret').toString('base64')}`);
  });

  it.each([
    [
      'an exception of WMS with the status 200',
      reply(
        200,
        'text/xml',
        '<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc"><ServiceException code="LayerNotDefined">No layer\na:b\n  at some.Class</ServiceException></ServiceExceptionReport>',
      ),
      'No layer',
    ],
    [
      'an exception of OWS with the status 400',
      reply(
        400,
        'application/xml',
        '<?xml version="1.0"?><ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1"><ows:Exception exceptionCode="x"><ows:ExceptionText>Bad &lt;b&gt;</ows:ExceptionText></ows:Exception></ows:ExceptionReport>',
      ),
      'Status 400: Bad <b>',
    ],
    [
      'a malformed exception',
      reply(200, 'text/xml', '<ServiceExceptionReport ><'),
      'The server returned an exception.',
    ],
    [
      'an HTML page',
      reply(200, 'text/html;charset=utf-8', '<!DOCTYPE html><html><head><title>Sign in</title></head></html>'),
      'The server returned an HTML page: Sign in.',
    ],
    [
      'an HTML page of a proxy',
      reply(502, 'text/html', '<html><head><title>502 Bad Gateway</title></head></html>'),
      'Status 502: The server returned an HTML page: 502 Bad Gateway.',
    ],
    ['an empty error', reply(404, 'application/octet-stream', ''), 'Status 404.'],
    [
      'plain text',
      reply(200, 'text/plain', 'Service WCS\u0007 is disabled'),
      'The server returned text: Service WCS  is disabled',
    ],
  ])('reports %s as the reason of a failure', async (_, answer, failure) => {
    expect((await ask(answer)).reading).toEqual({ failure });
  });

  it('does not follow redirects', async () => {
    const { reading, remote } = await ask((_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });

    expect(reading).toEqual({
      failure: 'The server redirects the request (status 302). Use the address of the redirect.',
    });
    expect(remote.asked).toHaveLength(1);
  });

  it('stops reading at the limit', async () => {
    const { reading } = await ask((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
      };
      response
        .writeHead(200)
        .on('drain', write)
        .on('error', () => undefined);
      write();
    }, 1_048_576);

    expect(reading).toEqual({ failure: 'The response has more than 1 MB.' });
  });

  it('reports a server that does not answer, and one that is not there', async () => {
    expect((await ask(() => undefined, undefined, 1)).reading).toEqual({
      failure: 'The server did not answer within 0.001 seconds.',
    });
    const closed = createComparedServer({ url: new URL('http://127.0.0.1:1/'), login: undefined });
    expect(await closed.get('/wms', {})).toEqual({
      failure: 'Cannot connect to http://127.0.0.1:1: the connection was refused.',
    });
  });

  it('sends at most two requests at once', async () => {
    let [running, largest] = [0, 0];
    const waiting: (() => void)[] = [];
    const remote = await startRemoteServer((_, response) => {
      running += 1;
      largest = Math.max(largest, running);
      waiting.push(() => {
        running -= 1;
        response.end('x');
      });
      // The first one is answered when a second one waits; the last ones have no others to wait for.
      if (waiting.length === 2 || remote.asked.length === 5) for (const answer of waiting.splice(0)) answer();
    });
    const server = createComparedServer({ url: new URL(`http://127.0.0.1:${remote.port}`), login: undefined });

    await Promise.all(Array.from({ length: 5 }, () => server.get('/wms', {})));

    expect(largest).toBe(2);
  });
});
