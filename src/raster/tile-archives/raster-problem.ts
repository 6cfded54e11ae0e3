/** Converts the errors of archive readers to problems of raster data. */
import { Problem, problem } from '../../lib/problems/problem.ts';
import { TileArchiveError } from '../../vector/tile-archives/model/tile-archive.ts';

/** Problems of the readers that vector data shares are converted to those of raster data. */
export function toRasterProblem(error: unknown, file: string): unknown {
  if (error instanceof Problem && error.code === 'vector-file-missing') return problem('raster-file-missing', { file });
  if (error instanceof Problem && error.code === 'vector-file-unreadable') {
    return problem('raster-file-unreadable', { file, reason: String(error.details['reason']) });
  }
  if (!(error instanceof TileArchiveError)) return error;
  return problem(error.isUnsupported ? 'raster-file-unsupported' : 'raster-file-malformed', {
    file,
    reason: error.message,
  });
}
