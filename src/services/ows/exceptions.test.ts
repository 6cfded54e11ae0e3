import { describe, expect, it } from 'vitest';
import { problem } from '../../lib/problems/problem.ts';
import { createReport } from './exceptions.ts';

const unknownType = problem('wfs-type-unknown', { name: 'a<b', field: 'typeName' });

describe('exception report of an OGC service', () => {
  it('is a ServiceException with status 200 in WFS 1.0.0', () => {
    expect(createReport(unknownType, { report: '1.2.0', version: '1.0.0' })).toEqual({
      status: 200,
      contentType: 'text/xml;charset=utf-8',
      body: `<?xml version="1.0" encoding="UTF-8"?>
<ServiceExceptionReport version="1.2.0" xmlns="http://www.opengis.net/ogc">
  <ServiceException code="InvalidParameterValue" locator="typeName">Unknown feature type 'a&lt;b'.</ServiceException>
</ServiceExceptionReport>
`,
    });
  });

  it('is an OWS Common 1.0 report with status 200 in WFS 1.1.0', () => {
    expect(createReport(unknownType, { report: '1.0.0', version: '1.1.0' })).toEqual({
      status: 200,
      contentType: 'application/xml;charset=utf-8',
      body: `<?xml version="1.0" encoding="UTF-8"?>
<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows" version="1.0.0">
  <ows:Exception exceptionCode="InvalidParameterValue" locator="typeName">
    <ows:ExceptionText>Unknown feature type 'a&lt;b'.</ows:ExceptionText>
  </ows:Exception>
</ows:ExceptionReport>
`,
    });
  });

  it('is an OWS Common 1.1 report with status 400 in WFS 2.0.0, and 404 for an unknown feature', () => {
    const { status, body } = createReport(unknownType, { report: '2.0.0', version: '2.0.0' });
    const ofFeature = createReport(problem('wfs-feature-unknown', { id: 'roads.1' }), {
      report: '2.0.0',
      version: '2.0.0',
    });

    expect({ status, isOf11: body.includes('xmlns:ows="http://www.opengis.net/ows/1.1" version="2.0.0"') }).toEqual({
      status: 400,
      isOf11: true,
    });
    expect(ofFeature).toMatchObject({ status: 404, body: expect.stringContaining('exceptionCode="NotFound"') });
  });

  it('is JSON if the client requests it', () => {
    const style = { report: '2.0.0', version: '2.0.0', exceptions: 'application/json' } as const;

    expect(createReport(unknownType, style)).toEqual({
      status: 400,
      contentType: 'application/json;charset=utf-8',
      body: '{"version":"2.0.0","exceptions":[{"code":"InvalidParameterValue","locator":"typeName","text":"Unknown feature type \'a<b\'."}]}',
    });
  });

  it('is never a script, which pages of other origins could run', () => {
    const style = { report: '2.0.0', version: '2.0.0', exceptions: 'text/javascript' } as const;

    expect(createReport(unknownType, style).contentType).toBe('application/xml;charset=utf-8');
  });

  it.each([
    ['credentials-required', 401],
    ['role-missing', 403],
    ['unexpected', 500],
  ] as const)('keeps the status of %s in every version', (code, status) => {
    const thrown = code === 'role-missing' ? problem(code, { role: 'X' }) : problem(code, { requestId: '1' } as never);

    expect(createReport(thrown, { report: '1.2.0', version: '1.0.0' }).status).toBe(status);
    expect(createReport(thrown, { report: '2.0.0', version: '2.0.0' }).status).toBe(status);
  });
});
