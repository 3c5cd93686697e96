import { hashOf } from '../../engine/random';

/** When the files that nobody changes were put there. */
export const installedAt = Date.UTC(2024, 3, 2, 9, 30);

/** A file that a site has: with `every` it changes again and again, otherwise at `since` and whenever `also` says. */
export interface FileSpec {
	path: string;
	size: number;
	since: number;
	every?: number;
	/** Each time with its size from then on, oldest first. */
	also?: Array<{ at: number; size: number }>;
}

export const words =
	'admin,archive,author,block,cache,client,comment,customize,editor,error,export,feed,filter,formatting,general,http,import,link,locale,loader,media,menu,meta,network,option,plugin,post,query,revision,rewrite,role,schema,session,taxonomy,template,theme,update,upgrade,user,widget'.split(
		',',
	);

const folderFiles = (folder: string, extension: string, count: number): FileSpec[] =>
	words.slice(0, count).map((word) => {
		const path = `${folder}${word}.${extension}`;
		return { path, size: 800 + (hashOf(path) % 60_000), since: installedAt };
	});

export const singleFiles = (...paths: string[]): FileSpec[] =>
	paths.map((path) => ({ path, size: 400 + (hashOf(path) % 20_000), since: installedAt }));

export const coreFiles: FileSpec[] = [
	...singleFiles(
		'./index.php',
		'./license.txt',
		'./readme.html',
		'./wp-blog-header.php',
		'./wp-cron.php',
		'./wp-load.php',
		'./wp-login.php',
		'./wp-settings.php',
		'./xmlrpc.php',
		'./wp-content/index.php',
		'./wp-admin/index.php',
		'./wp-includes/version.php',
	),
	...['includes', 'network', 'user'].flatMap((folder) =>
		folderFiles(`./wp-admin/${folder}/`, 'php', 24),
	),
	...folderFiles('./wp-admin/css/', 'css', 18),
	...folderFiles('./wp-admin/js/', 'js', 30),
	...folderFiles('./wp-includes/', 'php', 40),
	...['blocks', 'rest-api', 'widgets'].flatMap((folder) =>
		folderFiles(`./wp-includes/${folder}/`, 'php', 20),
	),
	...folderFiles('./wp-includes/css/', 'css', 12),
	...folderFiles('./wp-includes/js/', 'js', 40),
];

export const pluginNames =
	'contact-forms,page-cache,image-slider,site-maps,cookie-notice,redirects,security-check,mail-log,backup-agent,related-posts,price-table,booking-calendar'.split(
		',',
	);
export const themeNames = ['plain-theme', 'magazine', 'storefront-light', 'portfolio', 'landing'];

export const pluginFiles = new Map(
	pluginNames.map((name) => {
		const folder = `./wp-content/plugins/${name}/`;
		return [
			name,
			[
				...singleFiles(`${folder}${name}.php`, `${folder}readme.txt`),
				...folderFiles(`${folder}includes/`, 'php', 4 + (hashOf(name) % 12)),
				...folderFiles(`${folder}assets/`, 'js', 2 + (hashOf(name) % 4)),
			],
		];
	}),
);
export const themeFiles = new Map(
	themeNames.map((name) => {
		const folder = `./wp-content/themes/${name}/`;
		return [
			name,
			[
				...singleFiles(`${folder}style.css`, `${folder}functions.php`, `${folder}screenshot.png`),
				...folderFiles(`${folder}templates/`, 'php', 8),
			],
		];
	}),
);

export const pictures = [
	'team',
	'front',
	'garden',
	'summer fest',
	'menu',
	'Grüße',
	'map',
	'poster',
];
