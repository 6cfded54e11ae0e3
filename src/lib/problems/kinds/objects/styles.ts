/** Problems with styles. */
import { enumerate } from '../../../text/wording.ts';
import { type CommonDetails, defineProblemKind } from '../kind.ts';

export const styleProblems = {
  'style-invalid': defineProblemKind(
    400,
    'A style document is well-formed, but not a valid style. Every error is listed with its position.',
    (d: { language: string; count: number } & CommonDetails) => {
      const complaints = (d.complaints ?? []).map((each) => each.message).join('; ');
      const more = d.count - (d.complaints?.length ?? 0);
      return `The style is not valid ${d.language}. ${capitalize(complaints)}${more > 0 ? `; and ${more} more` : ''}.`;
    },
  ),
  'style-not-convertible': defineProblemKind(
    406,
    'The style cannot be converted to the requested language or version without loss.',
    (d: { version: string } & CommonDetails) =>
      `The style cannot be converted to SLD ${d.version} without loss: ${(d.complaints ?? []).map((each) => `${each.field}: ${each.message}`).join('; ')}.`,
  ),
  'style-language-not-written': defineProblemKind(
    406,
    'The style cannot be converted to the requested language.',
    (d: { from: string; to: string }) =>
      `The style is written in ${d.from}; conversion to ${d.to} is not supported. Request it as .sld.`,
  ),
  'style-content-mismatch': defineProblemKind(
    400,
    'The content of a style does not match its Content-Type.',
    (d: { subject: string; found: string; expected: string; advice: string }) =>
      `${d.subject} ${d.found}, but ${d.expected} was expected. ${d.advice}.`,
  ),
  'style-package-content': defineProblemKind(
    400,
    'A style package does not contain exactly one style (SLD or MapLibre style JSON).',
    (d: { found: string }) =>
      `A style package must contain exactly one .sld file or MapLibre style (.json), and the images that it uses, but ${d.found}.`,
  ),
  'style-package-image': defineProblemKind(
    400,
    'A file in a style package does not match its extension, or is not allowed.',
    (d: { name: string; reason: string }) => `The image '${d.name}' of the package is not accepted: ${d.reason}.`,
  ),
  'style-unknown': defineProblemKind(
    404,
    'No style of that name exists in the workspace, or among the global ones.',
    (d: { name: string; workspace: string | null }) =>
      d.workspace === null
        ? `No such style: '${d.name}'. To create it, POST its content or its entry to /styles.`
        : `No such style: '${d.name}' in the workspace '${d.workspace}'. To create it, POST its content or its entry to /workspaces/${d.workspace}/styles.`,
  ),
  'style-layer-unknown': defineProblemKind(
    400,
    'An SLD defines styles for several layers, and at least one of them does not exist.',
    (d: { layers: readonly string[] }) =>
      `The style is for several layers, and these do not exist: ${enumerate(d.layers, d.layers.length)}. Publish them first, or store the style with raw=true.`,
  ),
  'style-exists': defineProblemKind(
    409,
    'A style of that name already exists there.',
    (d: { name: string; workspace: string | null }) =>
      `A style named '${d.name}' already exists${formatWorkspaceScope(d.workspace)}.`,
  ),
  'style-sent-twice': defineProblemKind(
    403,
    'The content of a new style was sent, but a style of that name already exists.',
    (d: { name: string; workspace: string | null }) =>
      `A style named '${d.name}' already exists${formatWorkspaceScope(d.workspace)}. PUT the content to it, or set another name with ?name=.`,
  ),
  'style-file-exists': defineProblemKind(
    403,
    'The file name of a new or moved style belongs to another style.',
    (d: { filename: string; style: string; advice: string }) =>
      `The style file '${d.filename}' already exists: it is the content of the style '${d.style}'. ${d.advice}.`,
  ),
  'style-content-missing': defineProblemKind(
    404,
    'The style has no content yet.',
    (d: { name: string; filename: string }) =>
      `The style '${d.name}' has no content yet: the file '${d.filename}' does not exist. PUT the content to the URL of the style.`,
  ),
  'style-content-purged': defineProblemKind(
    404,
    'The content of the style was purged while it was being read.',
    () => 'The content of the style was purged while it was being read.',
  ),
  'style-content-lost': defineProblemKind(
    404,
    'The content of the style, or an image that it uses, is missing on the disk of the server.',
    () =>
      'The content of the style, or an image that it uses, is missing on the disk of the server. PUT the content again, or restore blobs/ from a backup.',
  ),
  'style-unreadable': defineProblemKind(
    406,
    'The content of the style was stored without validation and is not a valid style; it is available in its original format only.',
    (d: { name: string; reason: string }) =>
      `The content of the style '${d.name}' was stored without validation and is not a valid style: ${d.reason}`,
  ),
  'style-package-too-large': defineProblemKind(
    406,
    'The package of a style and its images exceeds the size limit.',
    (d: { name: string; sizeBytes: number; maxBytes: number }) =>
      `The style '${d.name}' and its images have ${d.sizeBytes} bytes, which exceeds the package limit of ${d.maxBytes} bytes. Request the style as .sld.`,
  ),
  'style-format-fixed': defineProblemKind(
    400,
    'The format in the style document differs from the format of the content.',
    (d: { name: string; current: string; wanted: string }) =>
      `The content of the style '${d.name}' is ${d.current}, not ${d.wanted}. To change the format, PUT new content.`,
  ),
  'style-version-unknown': defineProblemKind(
    415,
    'The Content-Type of a style names an unsupported version.',
    (d: { contentType: string }) =>
      `Unsupported Content-Type '${d.contentType}'. Supported versions: SLD 1.0.0 (application/vnd.ogc.sld+xml) and SLD 1.1.0 (application/vnd.ogc.se+xml).`,
  ),
  'style-built-in': defineProblemKind(
    403,
    'A built-in style cannot be deleted, renamed or moved.',
    (d: { name: string; what: string }) =>
      `The style '${d.name}' is built in and cannot be ${d.what}. Its content can be changed.`,
  ),
  'style-in-use': defineProblemKind(
    403,
    'Layers use the style and recurse=true was not set, or the change would move the style out of their reach.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The style '${d.name}' is used by ${enumerate(d.blockers, d.total)}. Assign another style to them first, or delete it with recurse=true.`,
  ),
  'style-global': defineProblemKind(
    403,
    'Only administrators can change global styles.',
    () =>
      'Administrator rights are required to change global styles. Administrators of a workspace can change the styles of that workspace.',
  ),
} as const;

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function formatWorkspaceScope(workspace: string | null): string {
  return workspace === null ? '' : ` in the workspace '${workspace}'`;
}
