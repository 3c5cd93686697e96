import { type FileSpec, pluginFiles, themeFiles } from './names';
import { oddPluginFiles } from './odd';

/** The files of each plugin and theme that can come to another version, by its slug; the main file comes first. */
export const componentFiles: ReadonlyMap<string, FileSpec[]> = new Map([
	...pluginFiles,
	...oddPluginFiles,
	...themeFiles,
]);

const slugs = new Map([...componentFiles].map(([slug, [main]]) => [main!.path, slug]));

/** What a file is the main file of; nothing where that cannot come to another version. */
export const slugOf = (mainFile: string): string | undefined => slugs.get(mainFile);
