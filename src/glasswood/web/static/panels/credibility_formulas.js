// The closed forms behind the sliders, as in Python's credibility_grid (a test compares them on its grid): two children
// of n rows each, of mean −spread and +spread and standard deviation sd; l2 = 0. The gain is one child's half.

const EVPV_FLOOR = 2.2e-16;

export function credibilityOf(rule, spread, sd, n) {
  const noise = Math.max(EVPV_FLOOR, sd * sd);
  if (rule === "cred_var") return (spread * spread) / (spread * spread + noise);
  if (rule === "cred_std") return spread / (spread + Math.sqrt(noise));
  if (rule === "welch") return Math.max(0, 1 - 1 / (2 * gainOf(rule, spread, sd, n)));
  return 1;
}

export function gainOf(rule, spread, sd, n) {
  if (rule === "newton") return n * spread * spread;
  if (rule === "welch") return welchGain(spread, sd, n) / 2;
  return n * spread * credibilityOf(rule, spread, sd, n);
}

// B / N0 of the split: v of each child is shrunk towards the pooled one with the weight of five rows.
function welchGain(spread, sd, n) {
  const within = n * sd * sd;
  const between = 2 * n * spread * spread;
  const pool = (2 * within) / Math.max(2 * n - 2, 1);
  const noise = (within + 5 * pool) / (Math.max(n - 1, 0) + 5);
  const floor = (1e-9 * (2 * within + between)) / Math.max(2 * n - 1, 1);
  return between / Math.max(noise, floor);
}

// Density of a normal distribution.
export function normalDensity(x, mean, sd) {
  const z = (x - mean) / sd;
  return Math.exp(-0.5 * z * z) / (sd * Math.sqrt(2 * Math.PI));
}
