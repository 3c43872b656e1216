ALTER TABLE "_datatables" ALTER COLUMN "data_source_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "_datatables" ALTER COLUMN "json_schema" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "_datatables" ALTER COLUMN "schema_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "_datatables" ALTER COLUMN "physical_table_name" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "_datatables" ADD COLUMN "source_id" bigint;--> statement-breakpoint
ALTER TABLE "_datatables" ADD CONSTRAINT "_datatables_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "_datatables"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "_datatables_source_id_idx" ON "_datatables" USING btree ("source_id");--> statement-breakpoint
ALTER TABLE "_datatables" DROP COLUMN "is_active";--> statement-breakpoint
ALTER TABLE "_datatables" ADD CONSTRAINT "_datatables_table_or_reference" CHECK (num_nulls("_datatables"."data_source_id", "_datatables"."json_schema", "_datatables"."schema_hash", "_datatables"."physical_table_name") = case when "_datatables"."source_id" is null then 0 else 4 end);