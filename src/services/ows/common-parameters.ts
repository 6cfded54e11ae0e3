/** Parameters of all OGC services with key-value pairs. */
import { createTextKind, declareParameter, list, text } from './service-parameters.ts';

export const commonParameters = {
  service: declareParameter('service', createTextKind('the name of a service such as WFS'), 'The name of the service.'),
  version: declareParameter('version', text, 'The version of the service.'),
  request: declareParameter(
    'request',
    createTextKind('the name of an operation such as GetCapabilities'),
    'The name of the operation.',
  ),
  exceptions: declareParameter('exceptions', text, 'Accepted without an effect: errors are XML.'),
  language: declareParameter('language', text, 'Accepted without an effect: titles have one language.'),
  authkey: declareParameter('authkey', text, 'Accepted without an effect: send credentials in a header.'),
};

/** Parameters of all GetCapabilities operations. */
export const capabilitiesParameters = {
  ...commonParameters,
  acceptVersions: declareParameter(
    'acceptVersions',
    list,
    'Versions that the client accepts, the preferred one first.',
  ),
  acceptFormats: declareParameter('acceptFormats', text, 'Accepted without an effect: capabilities are XML.'),
  updateSequence: declareParameter(
    'updateSequence',
    text,
    'The sequence number of the capabilities that the client has; the same number is an error.',
  ),
};
