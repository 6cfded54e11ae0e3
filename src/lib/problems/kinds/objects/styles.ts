/** What can go wrong with styles, as documents and in the catalog. */
import { enumerate } from '../../../text/wording.ts';
import { type CommonDetails, defineProblemKind } from '../kind.ts';

export const styleProblems = {
  'style-invalid': defineProblemKind(
    400,
    'A style document is well-formed, but not a valid style; every error is listed with its place.',
    (d: { language: string; count: number } & CommonDetails) => {
      const complaints = (d.complaints ?? []).map((each) => each.message).join('; ');
      const more = d.count - (d.complaints?.length ?? 0);
      return `The style is not valid ${d.language}. ${capitalize(complaints)}${more > 0 ? `; and ${more} more` : ''}.`;
    },
  ),
  'style-not-convertible': defineProblemKind(
    406,
    'A style was asked for in another language or version that cannot say all that it says.',
    (d: { version: string } & CommonDetails) =>
      `The style cannot be written as SLD ${d.version} without loss: ${(d.complaints ?? []).map((each) => `${each.field}: ${each.message}`).join('; ')}.`,
  ),
  'style-language-not-written': defineProblemKind(
    406,
    'A style was asked for in a language that is only read here.',
    (d: { from: string; to: string }) =>
      `The style is written in ${d.from}, and no style is translated to ${d.to}. Ask for it as .sld.`,
  ),
  'style-content-mismatch': defineProblemKind(
    400,
    'What was sent as a style is something else than its Content-Type says.',
    (d: { subject: string; found: string; expected: string; advice: string }) =>
      `${d.subject} ${d.found}, but ${d.expected} was expected. ${d.advice}.`,
  ),
  'style-package-content': defineProblemKind(
    400,
    'A style package does not hold exactly one SLD.',
    (d: { found: string }) =>
      `A style package holds exactly one file that ends with .sld, and the images it uses; but ${d.found}.`,
  ),
  'style-package-image': defineProblemKind(
    400,
    'A file in a style package is not the image that its name says, or one that may not be kept.',
    (d: { name: string; reason: string }) => `The image '${d.name}' of the package cannot be kept: ${d.reason}.`,
  ),
  'style-unknown': defineProblemKind(
    404,
    'There is no style of that name, in the workspace or among the global ones.',
    (d: { name: string; workspace: string | null }) =>
      d.workspace === null
        ? `No such style: '${d.name}'. To create it, POST its content or its entry to /styles.`
        : `No such style: '${d.name}' in the workspace '${d.workspace}'. To create it, POST its content or its entry to /workspaces/${d.workspace}/styles.`,
  ),
  'style-layer-unknown': defineProblemKind(
    400,
    'An SLD is for several layers, and one of them does not exist.',
    (d: { layers: readonly string[] }) =>
      `The style is for several layers, of which these do not exist: ${enumerate(d.layers, d.layers.length)}. Publish what is missing first, or store the style with raw=true.`,
  ),
  'style-exists': defineProblemKind(
    409,
    'A style of that name exists already in that place.',
    (d: { name: string; workspace: string | null }) =>
      `A style named '${d.name}' already exists${formatWorkspaceScope(d.workspace)}.`,
  ),
  'style-sent-twice': defineProblemKind(
    403,
    'The content of a new style was sent, but a style of that name exists already.',
    (d: { name: string; workspace: string | null }) =>
      `A style named '${d.name}' already exists${formatWorkspaceScope(d.workspace)}. PUT the content to it, or give another name with ?name=.`,
  ),
  'style-file-exists': defineProblemKind(
    403,
    'The file that the content of a new style, or of one that moves, would go to belongs to another style.',
    (d: { filename: string; style: string; advice: string }) =>
      `The style file '${d.filename}' already exists: it is the content of the style '${d.style}'. ${d.advice}.`,
  ),
  'style-content-missing': defineProblemKind(
    404,
    'The style has an entry, but no content yet.',
    (d: { name: string; filename: string }) =>
      `The style '${d.name}' has no content yet (there is no file '${d.filename}'). PUT it to the address of the style.`,
  ),
  'style-content-purged': defineProblemKind(
    404,
    'The content of the style was purged while it was being read.',
    () => 'The content of the style was purged a moment ago.',
  ),
  'style-content-lost': defineProblemKind(
    404,
    'The content of the style, or an image that it draws, is no longer on the disk of the server.',
    () =>
      'The content of the style, or an image that it draws, is no longer on the disk of the server. PUT it again, or get it back from a backup of blobs/.',
  ),
  'style-unreadable': defineProblemKind(
    406,
    'The content of the style was stored unchecked and cannot be read, so that it can only be had as it is.',
    (d: { name: string; reason: string }) =>
      `The content of the style '${d.name}' was stored as it came and cannot be read as a style: ${d.reason}`,
  ),
  'style-package-too-large': defineProblemKind(
    406,
    'A style was asked for as a package, but it draws so many images that the package would be too large.',
    (d: { name: string; sizeBytes: number; maxBytes: number }) =>
      `The style '${d.name}' and the images it draws have ${d.sizeBytes} bytes, but a package may have ${d.maxBytes}. Ask for it as .sld.`,
  ),
  'style-format-fixed': defineProblemKind(
    400,
    'The entry of a style gives another format than its content has.',
    (d: { name: string; current: string; wanted: string }) =>
      `The content of the style '${d.name}' is ${d.current}, and saying ${d.wanted} would not change that. PUT the new content instead.`,
  ),
  'style-version-unknown': defineProblemKind(
    415,
    'The Content-Type of a style gives a version that is not read here.',
    (d: { contentType: string }) =>
      `The body is declared as '${d.contentType}', but only SLD 1.0.0 (application/vnd.ogc.sld+xml) and SLD 1.1.0 (application/vnd.ogc.se+xml) are read.`,
  ),
  'style-built-in': defineProblemKind(
    403,
    'One of the styles every server has would be deleted, renamed or moved.',
    (d: { name: string; what: string }) =>
      `The style '${d.name}' is built in and cannot be ${d.what}; its content can be changed.`,
  ),
  'style-in-use': defineProblemKind(
    403,
    'Layers use the style and recurse was not asked for, or it would go where they cannot see it.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The style '${d.name}' is used by ${enumerate(d.blockers, d.total)}. Give them another style first, or delete it with recurse=true.`,
  ),
  'style-global': defineProblemKind(
    403,
    'A global style would be changed by somebody who is no administrator.',
    () =>
      'Global styles can be changed with full administrator rights only; those of a workspace by who administers it.',
  ),
} as const;

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function formatWorkspaceScope(workspace: string | null): string {
  return workspace === null ? '' : ` in the workspace '${workspace}'`;
}
