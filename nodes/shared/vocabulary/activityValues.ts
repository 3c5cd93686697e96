import type { INodePropertyOptions } from 'n8n-workflow';

/** What an entry of an activity log is about. Source: Part B, 2.4. */
export const activityObjects: INodePropertyOptions[] = [
	{ name: 'Category', value: 'category' },
	{ name: 'Comment', value: 'comment' },
	{ name: 'Core', value: 'wp_core' },
	{ name: 'Files', value: 'files' },
	{ name: 'Menu', value: 'menu' },
	{ name: 'Multisite', value: 'multisite' },
	{ name: 'Plugin', value: 'plugin' },
	{ name: 'Post', value: 'post' },
	{ name: 'Shop Order', value: 'shop_order' },
	{ name: 'Shop Product', value: 'shop_product' },
	{ name: 'Shop Product Attribute', value: 'shop_product_attribute' },
	{ name: 'Shop Product Category', value: 'shop_product_category' },
	{ name: 'Shop Product Download Access', value: 'shop_product_download_access' },
	{ name: 'Shop Product Tag', value: 'shop_product_tag' },
	{ name: 'Shop Shipping Zone Method', value: 'shop_shipping_zone_method' },
	{ name: 'Shop Tax Rate', value: 'shop_tax_rate' },
	{ name: 'Site', value: 'site' },
	{ name: 'Tag', value: 'tag' },
	{ name: 'Theme', value: 'theme' },
	{ name: 'Unknown', value: 'unknown' },
	{ name: 'User', value: 'user' },
	{ name: 'User Profile', value: 'user_profile' },
];
