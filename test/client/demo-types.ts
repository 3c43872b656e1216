// Types of "shop", "company", made by tessera-client. Make them again rather than edit them.

import type { Json } from '../../client/src/index.ts'

/** The tables of the app "shop". */
export interface ShopTables {
  /** The records of the table "categories". */
  categories: {
    record: {
      id: number
      name: string
    }
    create: {
      id?: number
      name: string
    }
    kinds: {
      id: 'number'
      name: 'text'
    }
    key: ['id']
    relationships: {
      products: { to: 'many'; table: 'products'; nullable: false; inside: 'category_id' }
      suppliers: { to: 'many'; table: 'suppliers'; nullable: false }
    }
    edges: never
  }
  /** The records of the table "suppliers". */
  suppliers: {
    record: {
      id: number
      name: string
      country: string
    }
    create: {
      id?: number
      name: string
      country: string
    }
    kinds: {
      id: 'number'
      name: 'text'
      country: 'text'
    }
    key: ['id']
    relationships: {
      products: { to: 'many'; table: 'products'; nullable: false; inside: 'supplier_id' }
      categories: { to: 'many'; table: 'categories'; nullable: false }
    }
    edges: never
  }
  /** What the shop sells. Products that are no longer sold are deleted softly. */
  products: {
    record: {
      id: number
      sku: string
      name: string
      description: string | null
      category_id: number
      supplier_id: number
      /** In euros, with tax. */
      price: number
      /** Color, weight and other properties. */
      attributes: { readonly [name: string]: Json } | null
      is_deleted: boolean | null
    }
    create: {
      id?: number
      sku: string
      name: string
      description?: string | null
      category_id?: number
      supplier_id?: number
      price: number
      attributes?: { readonly [name: string]: Json } | null
      is_deleted?: boolean | null
    }
    kinds: {
      id: 'number'
      sku: 'text'
      name: 'text'
      description: 'text'
      category_id: 'number'
      supplier_id: 'number'
      price: 'number'
      attributes: 'json'
      is_deleted: 'boolean'
    }
    key: ['id']
    relationships: {
      category: { to: 'one'; table: 'categories'; nullable: false; inside: never }
      supplier: { to: 'one'; table: 'suppliers'; nullable: false; inside: never }
      stock: { to: 'many'; table: 'stock'; nullable: false; inside: 'product_id' }
      order_lines: { to: 'many'; table: 'order_lines'; nullable: false; inside: 'product_id' }
      warehouses: { to: 'many'; table: 'warehouses'; nullable: false }
      orders: { to: 'many'; table: 'orders'; nullable: false }
    }
    edges: never
  }
  /** The records of the table "warehouses". */
  warehouses: {
    record: {
      id: number
      name: string
      place: string | null
    }
    create: {
      id?: number
      name: string
      place?: string | null
    }
    kinds: {
      id: 'number'
      name: 'text'
      place: 'text'
    }
    key: ['id']
    relationships: {
      stock: { to: 'many'; table: 'stock'; nullable: false; inside: 'warehouse_id' }
      products: { to: 'many'; table: 'products'; nullable: false }
    }
    edges: never
  }
  /** How many of a product are in a warehouse. Its key is composite. */
  stock: {
    record: {
      product_id: number
      warehouse_id: number
      quantity: number
    }
    create: {
      product_id?: number
      warehouse_id?: number
      quantity: number
    }
    kinds: {
      product_id: 'number'
      warehouse_id: 'number'
      quantity: 'number'
    }
    key: ['product_id', 'warehouse_id']
    relationships: {
      product: { to: 'one'; table: 'products'; nullable: true; inside: never }
      warehouse: { to: 'one'; table: 'warehouses'; nullable: false; inside: never }
    }
    edges: never
  }
  /** The records of the table "customers". */
  customers: {
    record: {
      id: string
      name: string
      email: string
      customer_since: string
    }
    create: {
      id?: string
      name: string
      email: string
      customer_since: string
    }
    kinds: {
      id: 'ordered'
      name: 'text'
      email: 'text'
      customer_since: 'instant'
    }
    key: ['id']
    relationships: {
      orders: { to: 'many'; table: 'orders'; nullable: false; inside: 'customer_id' }
    }
    edges: never
  }
  /** The records of the table "orders". */
  orders: {
    record: {
      id: number
      customer_id: string
      status: 'cart' | 'paid' | 'shipped' | 'returned' | null
      ordered_at: string
      shipped_on: string | null
    }
    create: {
      id?: number
      customer_id?: string
      status?: 'cart' | 'paid' | 'shipped' | 'returned' | null
      ordered_at: string
      shipped_on?: string | null
    }
    kinds: {
      id: 'number'
      customer_id: 'ordered'
      status: 'text'
      ordered_at: 'instant'
      shipped_on: 'instant'
    }
    key: ['id']
    relationships: {
      customer: { to: 'one'; table: 'customers'; nullable: false; inside: never }
      order_lines: { to: 'many'; table: 'order_lines'; nullable: false; inside: 'order_id' }
      products: { to: 'many'; table: 'products'; nullable: false }
    }
    edges: never
  }
  /** The records of the table "order_lines". */
  order_lines: {
    record: {
      id: number
      order_id: number
      product_id: number
      quantity: number
      price: number
    }
    create: {
      id?: number
      order_id?: number
      product_id?: number
      quantity: number
      price: number
    }
    kinds: {
      id: 'number'
      order_id: 'number'
      product_id: 'number'
      quantity: 'number'
      price: 'number'
    }
    key: ['id']
    relationships: {
      order: { to: 'one'; table: 'orders'; nullable: false; inside: never }
      product: { to: 'one'; table: 'products'; nullable: true; inside: never }
    }
    edges: never
  }
}

/** The app, for `createClient<Shop>`. */
export interface Shop {
  shop: ShopTables
}

/** The hashes of its schemas, for the option `schemas` of `createClient`. */
export const shopSchemas = {
  shop: {
    categories: 'cd159b00803cbf93c124e570aa4b760894dc680c79e951f5a637e849374e4a5b',
    suppliers: 'e6381f020538dd077251b69af43c404940c26130b971aa5b4e04b569351716db',
    products: '0c13a87ff356c4a09db63a34e2f79d4f80f6b4f0af766c02373d105f416fae98',
    warehouses: '96f9f01a5d4468cd97b3d5b027269398f47a7bd5a4990d13a1321a9ea1617e26',
    stock: '28dff331b4a1b5ff179fc29c8553c4315cb902859bdc68e900d79e1c07ef7b87',
    customers: '65e12917e3725ab3b9e2fe8755f9cc301c61c757fd375098ed14b53105c0c5cf',
    orders: '7380ed12a155bd83dbb9aabe393b1b8bb14e281a1e1353f8de3c026f44c4c221',
    order_lines: '277661c9de4de57b2378226242a70b3984a0e5b6119fe49a58dd7ab5f7cedc01',
  },
} as const

/** The tables of the app "company". */
export interface CompanyTables {
  /** The records of the table "departments". */
  departments: {
    record: {
      id: number
      name: string
      /** In euros a year. */
      budget: number | null
    }
    create: {
      id?: number
      name: string
      budget?: number | null
    }
    kinds: {
      id: 'number'
      name: 'text'
      budget: 'number'
    }
    key: ['id']
    relationships: {
      people: { to: 'many'; table: 'people'; nullable: false; inside: 'department_id' }
    }
    edges: never
  }
  /** Who works here. An edge `manager` leads to somebody’s manager, `mentor` to a mentor. */
  people: {
    record: {
      id: number
      name: string
      title: string
      department_id: number
      hired_on: string
      skills: readonly Json[] | null
      is_remote: boolean | null
    }
    create: {
      id?: number
      name: string
      title: string
      department_id?: number
      hired_on: string
      skills?: readonly Json[] | null
      is_remote?: boolean | null
    }
    kinds: {
      id: 'number'
      name: 'text'
      title: 'text'
      department_id: 'number'
      hired_on: 'instant'
      skills: 'json'
      is_remote: 'boolean'
    }
    key: ['id']
    relationships: {
      department: { to: 'one'; table: 'departments'; nullable: false; inside: never }
    }
    edges: 'manager' | 'mentor'
  }
}

/** The app, for `createClient<Company>`. */
export interface Company {
  company: CompanyTables
}

/** The hashes of its schemas, for the option `schemas` of `createClient`. */
export const companySchemas = {
  company: {
    departments: 'c0c2de4e46f74008d28780d99c56ecab6ff75e96fafa7cfe1f788ae03a432db5',
    people: '3e1a2efe27e071488c54a70b37166a5ae665086ddfb3be96f47e8f6714b2dbaf',
  },
} as const
