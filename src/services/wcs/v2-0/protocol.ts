/** WCS 2.0.1. */
import type { WcsProtocol } from '../coverage/protocol.ts';
import { describeCoverage } from './describe-coverage.ts';
import { getCapabilities } from './get-capabilities.ts';
import { getCoverage } from './get-coverage.ts';
import { wcsOperations } from './parameters.ts';
import { readDocumentPairs } from './read-document.ts';
import { readPairs } from './read-pairs.ts';

export const protocol: WcsProtocol = {
  operations: wcsOperations,
  readDocument: readDocumentPairs,
  prepare(parameters) {
    const request = readPairs(parameters);
    const name = request.kind;
    switch (request.kind) {
      case 'GetCapabilities':
        return { name, run: (context) => getCapabilities(context, request) };
      case 'DescribeCoverage':
        return { name, run: (context) => describeCoverage(context, request) };
      case 'GetCoverage':
        return { name, run: (context) => getCoverage(context, request) };
    }
  },
};
