/** WCS 1.0.0. */

import { readParameter } from '../../ows/service-parameters.ts';
import { findOperation, type WcsProtocol } from '../coverage/protocol.ts';
import { describeCoverage } from './describe-coverage.ts';
import { getCapabilities } from './get-capabilities.ts';
import { getCoverage, readGetCoverage } from './get-coverage.ts';
import { capabilities, describeParameters, operations } from './parameters.ts';
import { readDocument } from './read-document.ts';

export const protocol: WcsProtocol = {
  operations,
  readDocument,
  prepare(parameters, now) {
    const name = findOperation(parameters, 'WCS 1.0.0');
    switch (name) {
      case 'GetCapabilities': {
        const sections = readParameter(parameters, capabilities.section);
        const updateSequence = readParameter(parameters, capabilities.updateSequence);
        return { name, run: (context) => getCapabilities(context, { sections, updateSequence }) };
      }
      case 'DescribeCoverage': {
        const names = readParameter(parameters, describeParameters.coverage);
        return { name, run: (context) => describeCoverage(context, names) };
      }
      case 'GetCoverage': {
        const selection = readGetCoverage(parameters, now);
        return { name, run: (context) => getCoverage(context, selection) };
      }
    }
  },
};
