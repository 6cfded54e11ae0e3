/** Negotiates the version of WCS. */
import { findAttribute, findChild, readChildTexts } from '../../../cascade/xml-elements.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { capabilitiesParameters } from '../../ows/common-parameters.ts';
import type { Parameters } from '../../ows/parameters.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import { negotiateVersion } from '../../ows/versions.ts';

/** The highest first, as in capabilities. */
export const wcsVersions = ['2.0.1', '1.1.1', '1.0.0'] as const;
export type WcsVersion = (typeof wcsVersions)[number];

/** The first accepted version; without a list the nearest one to the requested version, or the highest. */
export function selectVersion(parameters: Parameters): WcsVersion {
  const accepted = readParameter(parameters, capabilitiesParameters.acceptVersions);
  const version = readParameter(parameters, capabilitiesParameters.version);
  for (const each of accepted) {
    const found = findVersion(each);
    if (found !== undefined) return found;
  }
  if (accepted.length > 0) {
    throw problem('wcs-version-unknown', { asked: accepted, spoken: wcsVersions, field: 'acceptVersions' });
  }
  if (version === undefined) return '2.0.1';
  return findVersion(version) ?? negotiateVersion(['1.0.0', '1.1.1', '2.0.1'], { version });
}

/** Corrigenda are the same on the wire, and clients shorten versions: `1.1`, `1.1.0` and `1.1.2` are 1.1.1. */
function findVersion(text: string): WcsVersion | undefined {
  const [, minor] = /^\s*(1\.0|1\.1|2|2\.0)(?:\.\d{1,2})?\s*$/.exec(text) ?? [];
  if (minor === undefined) return undefined;
  return minor.startsWith('2') ? '2.0.1' : minor === '1.1' ? '1.1.1' : '1.0.0';
}

/** The version of a document; the namespace identifies it if the attribute is absent. */
export function readVersionPairs(root: XmlElement): Parameters {
  const version = findAttribute(root, 'version') || findNamespaceVersion(root.uri);
  const accepted = readChildTexts(findChild(root, 'AcceptVersions'), 'Version').join(',');
  return new Map(
    Object.entries({ version, acceptversions: accepted }).flatMap(([name, value]) =>
      value ? [[name, value] as const] : [],
    ),
  );
}

function findNamespaceVersion(uri: string): WcsVersion | undefined {
  if (uri === 'http://www.opengis.net/wcs') return '1.0.0';
  return uri.startsWith('http://www.opengis.net/wcs/1.1') ? '1.1.1' : undefined;
}
