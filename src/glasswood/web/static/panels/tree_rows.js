// The one scale of depths: the tree and its profile stand beside each other and share it, so that their rows align.

const ROWS_TOP = 8;
const ROWS_BOTTOM = 40;
const SMALLEST_BAND = 16;
const LARGEST_BAND = 72;

// rowScale(last, room) → { height, band, y(depth), depthAt(y) }: a depth is a band across both figures.
export function rowScale(last, room) {
  const levels = last + 1;
  const band = Math.max(SMALLEST_BAND, Math.min(LARGEST_BAND, (room - ROWS_TOP - ROWS_BOTTOM) / levels));
  return {
    band,
    height: Math.max(room, ROWS_TOP + ROWS_BOTTOM + band * levels),
    y: (depth) => ROWS_TOP + (depth + 0.5) * band,
    top: (depth) => ROWS_TOP + depth * band,
    depthAt: (y) => Math.max(0, Math.min(last, Math.floor((y - ROWS_TOP) / band))),
  };
}
