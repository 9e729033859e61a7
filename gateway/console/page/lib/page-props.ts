export interface PageProps {
  /** The named parts of the path, such as `id`. */
  params: Record<string, string>;
}
