/** Lesson 10: no part of a document makes the server open a file or a URL. */
import { describe, expect, it } from 'vitest';
import { useTestServer } from '../support/test-server.ts';
import { useTrap } from '../support/trap.ts';

describe('lesson 10: documents with references', () => {
  const server = useTestServer();
  const trap = useTrap();

  const documents: Readonly<Record<string, () => string>> = {
    XInclude: () =>
      `<workspace xmlns:xi="http://www.w3.org/2001/XInclude"><name>xinclude</name><xi:include href="${trap.url}/x"/><xi:include href="file:///etc/passwd" parse="text"/></workspace>`,
    'a schema location': () =>
      `<workspace xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x ${trap.url}/x.xsd" xsi:noNamespaceSchemaLocation="${trap.url}/y.xsd"><name>schema</name></workspace>`,
    'a stylesheet': () =>
      `<?xml-stylesheet type="text/xsl" href="${trap.url}/x.xsl"?><workspace><name>stylesheet</name></workspace>`,
    'a schema model': () => `<?xml-model href="${trap.url}/x.rng"?><workspace><name>model</name></workspace>`,
    'a base and a link': () =>
      `<workspace xml:base="${trap.url}/base/"><name>base</name><atom:link xmlns:atom="http://www.w3.org/2005/Atom" href="${trap.url}/atom"/><dataStores>${trap.url}/stores</dataStores></workspace>`,
    'a JSON reference': () => `{"$ref":"${trap.url}/x.json","workspace":{"name":"reference","@href":"${trap.url}/y"}}`,
    'a URI': () => `{"namespace":{"prefix":"uri","uri":"${trap.url}/namespace"}}`,
  };

  it.each(Object.entries(documents))(
    'accepts a document with %s without opening the reference',
    async (_case, document) => {
      const body = document();
      const family = body.includes('namespace"') ? '/namespaces' : '/workspaces';

      const reply = await server.post(family, body);

      expect(reply.status).toBe(201);
      const read = await server.get(`${family}/${reply.text}.xml`);
      expect(read.status).toBe(200);
      expect(read.text).not.toMatch(/root:|caught/);
      expect(trap.caught).toEqual([]);
    },
  );
});
