/** A category with its parent, if any. */
interface Category {
  id: number;
  parent?: number;
}

/** The colors of categories as red, green and blue: oklch(0.7 0.13 hue), with the hues of the page in its order. */
export const hueColors: readonly (readonly [red: number, green: number, blue: number])[] = [
  [90, 163, 236],
  [228, 124, 117],
  [81, 182, 122],
  [177, 136, 223],
  [205, 145, 48],
  [0, 179, 203],
  [221, 122, 162],
  [140, 172, 75],
  [143, 148, 237],
  [222, 132, 79],
];

/** Number of colors of events. */
export const hueCount = hueColors.length;

/**
 * A function that returns the color of an event's categories, from 0 to 9; undefined without categories. Each top-level category has a color in the
 * order of creation; subcategories have the color of their ancestor. Below a single top-level category, its subcategories have different colors.
 */
export function hueIndexes(categories: readonly Category[]): (assigned: readonly Pick<Category, 'id'>[]) => number | undefined {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const top = categories.filter(({ parent }) => !parent || !byId.has(parent));
  const only = top.length === 1 ? top[0]!.id : undefined;
  const isRoot = ({ id, parent }: Category) => id === only || !parent || parent === only || !byId.has(parent);
  const rootOf = (id: number): number => {
    let at = byId.get(id);
    for (let depth = 0; at && !isRoot(at) && depth < 50; depth++) at = byId.get(at.parent!);
    return at?.id ?? id;
  };
  const roots = categories.filter(isRoot).sort((one, other) => one.id - other.id);
  const hues = new Map(roots.map(({ id }, index) => [id, index % hueCount]));
  return ([first]) => first && hues.get(rootOf(first.id));
}
